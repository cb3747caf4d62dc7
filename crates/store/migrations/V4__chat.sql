-- What was said in a match, and who took a seat in between, in order.
CREATE TABLE chat (
    id INTEGER PRIMARY KEY,
    match_id INTEGER NOT NULL REFERENCES matches (id),
    entry BLOB NOT NULL
);
CREATE INDEX chat_by_match ON chat (match_id);
