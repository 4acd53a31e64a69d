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
CREATE TABLE IF NOT EXISTS report_entry (
seq INTEGER PRIMARY KEY AUTOINCREMENT, line TEXT NOT NULL, appended_at INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS report_entry_by_line ON report_entry (line, seq);
CREATE TABLE IF NOT EXISTS report_line (
line TEXT PRIMARY KEY, fence INTEGER NOT NULL, ready_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS report_line_by_ready ON report_line (ready_at);
CREATE TABLE IF NOT EXISTS report_buried (
seq INTEGER PRIMARY KEY, line TEXT NOT NULL, appended_at INTEGER NOT NULL, body TEXT NOT NULL,
reason TEXT NOT NULL, buried_at INTEGER NOT NULL
);
INSERT OR IGNORE INTO fence (log, value) VALUES ('report', 0);
CREATE TABLE IF NOT EXISTS delivery_entry (
seq INTEGER PRIMARY KEY AUTOINCREMENT, line TEXT NOT NULL, appended_at INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS delivery_entry_by_line ON delivery_entry (line, seq);
CREATE TABLE IF NOT EXISTS delivery_line (
line TEXT PRIMARY KEY, fence INTEGER NOT NULL, ready_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS delivery_line_by_ready ON delivery_line (ready_at);
CREATE TABLE IF NOT EXISTS delivery_buried (
seq INTEGER PRIMARY KEY, line TEXT NOT NULL, appended_at INTEGER NOT NULL, body TEXT NOT NULL,
reason TEXT NOT NULL, buried_at INTEGER NOT NULL
);
INSERT OR IGNORE INTO fence (log, value) VALUES ('delivery', 0);
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
