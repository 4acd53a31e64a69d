/**
 * The tables of the embedded database. `PRAGMA user_version` holds `schemaVersion`; a file with another number is
 * refused.
 *
 * Each log has three tables by `seq`: waiting entries, bodies and buried entries. `log_seq` contains the last reserved
 * seq of each log. An entry has one row in the body table whether it waits, is buried or is recent, so a body of 35 kB
 * is written once and never moved. The tables that every report is written to have no index by device, so that rows are
 * only inserted at the end of each table. The queues are in memory.
 */
import { type LogName, logNames } from '../../../ports/storage/log.ts'

export const schemaVersion = 1

const log = (name: LogName) => `
  CREATE TABLE ${name}_waiting (
    seq INTEGER PRIMARY KEY, queue TEXT NOT NULL, appended_at INTEGER NOT NULL, bytes INTEGER NOT NULL
  );
  CREATE TABLE ${name}_body (seq INTEGER PRIMARY KEY, body TEXT NOT NULL);
  CREATE TABLE ${name}_buried (
    seq INTEGER PRIMARY KEY, queue TEXT NOT NULL, appended_at INTEGER NOT NULL, bytes INTEGER NOT NULL,
    reason TEXT NOT NULL, buried_at INTEGER NOT NULL
  );
  CREATE INDEX ${name}_buried_by_queue ON ${name}_buried (queue, seq);
  INSERT INTO log_seq (log, reserved) VALUES ('${name}', 0);
`

export const schema = `
  CREATE TABLE store (
    key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX store_by_expiry ON store (expires_at);

  CREATE TABLE directory (
    kind TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;
  CREATE TABLE directory_index (
    kind TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (kind, name, value, id)
  ) WITHOUT ROWID;
  CREATE INDEX directory_index_by_id ON directory_index (kind, id);
  CREATE TABLE directory_unique (
    kind TEXT NOT NULL, value TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (kind, value)
  ) WITHOUT ROWID;
  CREATE INDEX directory_unique_by_id ON directory_unique (kind, id);

  CREATE TABLE log_seq (log TEXT PRIMARY KEY, reserved INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE restored (times INTEGER NOT NULL);
  INSERT INTO restored VALUES (0);
  ${logNames.map(log).join('')}

  -- One row contains the deliveries that one call stored; "number" is the count of the device's deliveries, including this row.
  CREATE TABLE recent_delivery (
    device TEXT NOT NULL, number INTEGER NOT NULL, ended_at INTEGER NOT NULL, value TEXT NOT NULL
  );
  CREATE UNIQUE INDEX recent_delivery_by_number ON recent_delivery (device, number);

  CREATE TABLE revocation (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, subject TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, expires_at INTEGER NOT NULL
  );
  CREATE INDEX revocation_by_expiry ON revocation (expires_at);

  CREATE TABLE recent (
    seq INTEGER PRIMARY KEY, device TEXT NOT NULL, received_at INTEGER NOT NULL, positions INTEGER NOT NULL,
    bytes INTEGER NOT NULL, tags TEXT, report TEXT
  );
  -- When the newest report was received that was deleted because of a bound.
  CREATE TABLE recent_truncated (device TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE recent_minute (
    minute INTEGER NOT NULL, device TEXT NOT NULL, reports INTEGER NOT NULL, positions INTEGER NOT NULL,
    PRIMARY KEY (minute, device)
  ) WITHOUT ROWID;
`
