/** The tables, as of `schemaVersion`. */
export const schemaVersion = 2

/** A log: its waiting entries, the lines they stand in, and what was buried. */
const log = (name: 'report' | 'delivery') => `
  CREATE TABLE IF NOT EXISTS ${name}_entry (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, line TEXT NOT NULL, appended_at INTEGER NOT NULL, body TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS ${name}_entry_by_line ON ${name}_entry (line, seq);
  CREATE TABLE IF NOT EXISTS ${name}_line (
    line TEXT PRIMARY KEY, fence INTEGER NOT NULL, ready_at INTEGER NOT NULL, woken INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS ${name}_line_by_ready ON ${name}_line (ready_at);
  CREATE TABLE IF NOT EXISTS ${name}_buried (
    seq INTEGER PRIMARY KEY, line TEXT NOT NULL, appended_at INTEGER NOT NULL, body TEXT NOT NULL,
    reason TEXT NOT NULL, buried_at INTEGER NOT NULL
  );
  INSERT OR IGNORE INTO fence (log, value) VALUES ('${name}', 0);
`

export const schema = `
  CREATE TABLE IF NOT EXISTS store (
    key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS store_by_expiry ON store (expires_at);

  CREATE TABLE IF NOT EXISTS directory (
    kind TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS directory_index (
    kind TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (kind, name, value, id)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS directory_index_by_id ON directory_index (kind, id);
  CREATE TABLE IF NOT EXISTS directory_unique (
    kind TEXT NOT NULL, value TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (kind, value)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS directory_unique_by_id ON directory_unique (kind, id);

  CREATE TABLE IF NOT EXISTS fence (log TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  ${log('report')}
  ${log('delivery')}

  CREATE TABLE IF NOT EXISTS recent_delivery (
    place INTEGER PRIMARY KEY AUTOINCREMENT, device TEXT NOT NULL, id TEXT NOT NULL, ended_at INTEGER NOT NULL,
    value TEXT NOT NULL, UNIQUE (device, id)
  );
  CREATE INDEX IF NOT EXISTS recent_delivery_by_place ON recent_delivery (device, place);

  CREATE TABLE IF NOT EXISTS revocation (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, subject TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, expires_at INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS revocation_by_expiry ON revocation (expires_at);

  CREATE TABLE IF NOT EXISTS recent (
    device TEXT NOT NULL, seq INTEGER NOT NULL, received_at INTEGER NOT NULL,
    report TEXT NOT NULL, positions INTEGER NOT NULL, tags TEXT NOT NULL
  );
  CREATE UNIQUE INDEX IF NOT EXISTS recent_by_device ON recent (device, seq);
  CREATE INDEX IF NOT EXISTS recent_by_age ON recent (received_at);
  CREATE TABLE IF NOT EXISTS recent_minute (
    device TEXT NOT NULL, minute INTEGER NOT NULL, reports INTEGER NOT NULL, positions INTEGER NOT NULL,
    PRIMARY KEY (device, minute)
  ) WITHOUT ROWID;
`
