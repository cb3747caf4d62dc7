-- A match, and what everyone may know of it without opening it. Times are milliseconds since 1970.
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    ruleset TEXT NOT NULL,
    scenario TEXT NOT NULL,
    -- 0 waits for players, 1 is played, 2 has ended.
    status INTEGER NOT NULL,
    is_listed INTEGER NOT NULL,
    created INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    -- How it was set up, for the program that runs it.
    settings BLOB NOT NULL,
    -- The match up to the entry `head_number`.
    head BLOB NOT NULL,
    head_number INTEGER NOT NULL
);
CREATE INDEX matches_by_status ON matches (status, changed);

-- What happened in a match, never changed once it is written.
CREATE TABLE entries (
    match_id INTEGER NOT NULL REFERENCES matches (id),
    number INTEGER NOT NULL,
    entry BLOB NOT NULL,
    PRIMARY KEY (match_id, number)
) WITHOUT ROWID;

-- Who holds a seat. Of a token only its hash is stored.
CREATE TABLE holders (
    match_id INTEGER NOT NULL REFERENCES matches (id),
    seat INTEGER NOT NULL,
    name TEXT NOT NULL,
    token_hash BLOB NOT NULL,
    PRIMARY KEY (match_id, seat)
) WITHOUT ROWID;

-- The sources of rules that matches were played under, by their fingerprint: many matches share them.
CREATE TABLE rules (
    fingerprint BLOB PRIMARY KEY,
    sources BLOB NOT NULL
) WITHOUT ROWID;
