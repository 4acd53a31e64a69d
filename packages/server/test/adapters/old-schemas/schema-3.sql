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

CREATE TABLE IF NOT EXISTS report_waiting (seq INTEGER PRIMARY KEY, line TEXT NOT NULL, appended_at INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS report_body (seq INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS report_buried (
  seq INTEGER PRIMARY KEY, line TEXT NOT NULL, appended_at INTEGER NOT NULL, reason TEXT NOT NULL,
  buried_at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS report_buried_by_line ON report_buried (line, seq);
INSERT OR IGNORE INTO place (log, reserved) VALUES ('report', 0);

CREATE TABLE IF NOT EXISTS delivery_waiting (seq INTEGER PRIMARY KEY, line TEXT NOT NULL, appended_at INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS delivery_body (seq INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS delivery_buried (
  seq INTEGER PRIMARY KEY, line TEXT NOT NULL, appended_at INTEGER NOT NULL, reason TEXT NOT NULL,
  buried_at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS delivery_buried_by_line ON delivery_buried (line, seq);
INSERT OR IGNORE INTO place (log, reserved) VALUES ('delivery', 0);

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
  seq INTEGER PRIMARY KEY, device TEXT NOT NULL, received_at INTEGER NOT NULL, positions INTEGER NOT NULL, tags TEXT,
  report TEXT
);
CREATE TABLE IF NOT EXISTS recent_minute (
  minute INTEGER NOT NULL, device TEXT NOT NULL, reports INTEGER NOT NULL, positions INTEGER NOT NULL,
  PRIMARY KEY (minute, device)
) WITHOUT ROWID;
