/**
 * The tables, as of `schemaVersion`, and the way there from older versions.
 * A log is three small tables that name a place (`seq`) and one of bodies: who waits, what was buried, and for reports
 * what is recent all share the body of their place, so that 35 kB are written once and moved never. Nothing on the way
 * of a report has an index by device: rows are written where the last ones were, and who waits is known in memory.
 */
export const schemaVersion = 4

const log = (name: 'report' | 'delivery') => `
  CREATE TABLE IF NOT EXISTS ${name}_waiting (seq INTEGER PRIMARY KEY, line TEXT NOT NULL, appended_at INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS ${name}_body (seq INTEGER PRIMARY KEY, body TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS ${name}_buried (
    seq INTEGER PRIMARY KEY, line TEXT NOT NULL, appended_at INTEGER NOT NULL, reason TEXT NOT NULL,
    buried_at INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS ${name}_buried_by_line ON ${name}_buried (line, seq);
  INSERT OR IGNORE INTO place (log, reserved) VALUES ('${name}', 0);
`

/** A row has what was kept together of a device; `number` is that of the last one of them, all of the device counted. */
const recentDelivery = `
  CREATE TABLE IF NOT EXISTS recent_delivery (
    device TEXT NOT NULL, number INTEGER NOT NULL, ended_at INTEGER NOT NULL, value TEXT NOT NULL
  );
  CREATE UNIQUE INDEX IF NOT EXISTS recent_delivery_by_number ON recent_delivery (device, number);
`

const schema = `
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

  CREATE TABLE IF NOT EXISTS place (log TEXT PRIMARY KEY, reserved INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS restored (times INTEGER NOT NULL);
  INSERT INTO restored SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM restored);
  ${log('report')}
  ${log('delivery')}

  ${recentDelivery}

  CREATE TABLE IF NOT EXISTS revocation (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, subject TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, expires_at INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS revocation_by_expiry ON revocation (expires_at);

  CREATE TABLE IF NOT EXISTS recent (
    seq INTEGER PRIMARY KEY, device TEXT NOT NULL, received_at INTEGER NOT NULL, positions INTEGER NOT NULL, tags TEXT,
    report TEXT
  );
  CREATE TABLE IF NOT EXISTS recent_minute (
    minute INTEGER NOT NULL, device TEXT NOT NULL, reports INTEGER NOT NULL, positions INTEGER NOT NULL,
    PRIMARY KEY (minute, device)
  ) WITHOUT ROWID;
`

const logFromVersion2 = (name: 'report' | 'delivery') => `
  INSERT INTO ${name}_waiting SELECT seq, line, appended_at FROM ${name}_entry;
  INSERT INTO ${name}_body SELECT seq, body FROM ${name}_entry;
  INSERT INTO ${name}_buried SELECT seq, line, appended_at, reason, buried_at FROM ${name}_buried_2;
  INSERT INTO ${name}_body SELECT seq, body FROM ${name}_buried_2;
  UPDATE place SET reserved = (SELECT max(
    ifnull((SELECT max(seq) FROM ${name}_body), 0), ifnull((SELECT seq FROM sqlite_sequence WHERE name = '${name}_entry'), 0)
  )) WHERE log = '${name}';
  DROP TABLE ${name}_entry;
  DROP TABLE ${name}_line;
  DROP TABLE ${name}_buried_2;
`

/**
 * Versions 1 and 2 differ in a table only that is there or not; both kept a body in each table that spoke of it. Recent
 * deliveries, which the last builds of version 2 had, are not taken over.
 */
const fromVersion2 = `
  ALTER TABLE report_buried RENAME TO report_buried_2;
  ALTER TABLE delivery_buried RENAME TO delivery_buried_2;
  ALTER TABLE recent RENAME TO recent_2;
  ALTER TABLE recent_minute RENAME TO recent_minute_2;
  DROP INDEX IF EXISTS recent_by_device;
  DROP INDEX IF EXISTS recent_by_age;
  DROP TABLE IF EXISTS recent_delivery;
  ${schema}
  ${logFromVersion2('report')}
  ${logFromVersion2('delivery')}
  INSERT OR IGNORE INTO recent SELECT seq, device, received_at, positions, tags, report FROM recent_2;
  INSERT INTO recent_minute SELECT minute, device, reports, positions FROM recent_minute_2;
  DROP TABLE recent_2;
  DROP TABLE recent_minute_2;
  DROP TABLE fence;
`

/** It had a row for each delivery; its first builds wrote the message inside of the rest. */
const fromVersion3 = `
  ALTER TABLE recent_delivery RENAME TO recent_delivery_3;
  DROP INDEX recent_delivery_by_place;
  ${recentDelivery}
  INSERT INTO recent_delivery (device, number, ended_at, value)
    SELECT device, row_number() OVER (PARTITION BY device ORDER BY place), ended_at,
      CASE WHEN instr(value, char(10)) > 0 THEN value
      ELSE json_remove(value, '$.message') || char(10) || json_extract(value, '$.message') END
    FROM recent_delivery_3;
  DROP TABLE recent_delivery_3;
`

/** What brings a file of version `found` up to date; 0 is an empty one. */
export function schemaFrom(found: number): string {
  if (found === 0) return schema
  return found < 3 ? fromVersion2 : fromVersion3
}
