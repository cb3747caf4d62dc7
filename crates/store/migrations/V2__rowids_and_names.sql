-- Entries in the order in which they are written, so that writing one touches two pages and not the tree of all that are large.
CREATE TABLE entries_by_row (
    id INTEGER PRIMARY KEY,
    match_id INTEGER NOT NULL REFERENCES matches (id),
    number INTEGER NOT NULL,
    entry BLOB NOT NULL
);
INSERT INTO entries_by_row (match_id, number, entry) SELECT match_id, number, entry FROM entries ORDER BY match_id, number;
DROP TABLE entries;
ALTER TABLE entries_by_row RENAME TO entries;
CREATE UNIQUE INDEX entries_by_number ON entries (match_id, number);

-- The match up to the entry `number`, beside what is read for lists.
CREATE TABLE heads (
    match_id INTEGER PRIMARY KEY REFERENCES matches (id),
    number INTEGER NOT NULL,
    head BLOB NOT NULL
);
INSERT INTO heads (match_id, number, head) SELECT id, head_number, head FROM matches;
ALTER TABLE matches DROP COLUMN head;
ALTER TABLE matches DROP COLUMN head_number;

-- Names that look alike have the same key. It is filled in by the program.
ALTER TABLE matches ADD COLUMN name_key TEXT NOT NULL DEFAULT '';
ALTER TABLE holders ADD COLUMN name_key TEXT NOT NULL DEFAULT '';
CREATE INDEX matches_by_name ON matches (name_key);

-- How many matches of each status there are.
CREATE TABLE totals (
    status INTEGER PRIMARY KEY,
    matches INTEGER NOT NULL
);
INSERT INTO totals (status, matches)
    SELECT column1, (SELECT count(*) FROM matches WHERE status = column1) FROM (VALUES (0), (1), (2));
CREATE TRIGGER match_created AFTER INSERT ON matches BEGIN
    UPDATE totals SET matches = matches + 1 WHERE status = NEW.status;
END;
CREATE TRIGGER match_deleted AFTER DELETE ON matches BEGIN
    UPDATE totals SET matches = matches - 1 WHERE status = OLD.status;
END;
CREATE TRIGGER match_went_on AFTER UPDATE OF status ON matches WHEN OLD.status <> NEW.status BEGIN
    UPDATE totals SET matches = matches - 1 WHERE status = OLD.status;
    UPDATE totals SET matches = matches + 1 WHERE status = NEW.status;
END;
