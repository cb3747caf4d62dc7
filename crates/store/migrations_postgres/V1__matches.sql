-- A match, and what everyone may know of it without opening it. Times are milliseconds since 1970.
CREATE TABLE matches (
    id bigint PRIMARY KEY,
    name text NOT NULL,
    -- Names that look alike have the same key.
    name_key text NOT NULL,
    ruleset text NOT NULL,
    scenario text NOT NULL,
    -- 0 waits for players, 1 is played, 2 has ended.
    status smallint NOT NULL,
    is_listed boolean NOT NULL,
    created bigint NOT NULL,
    changed bigint NOT NULL,
    -- How it was set up, for the program that runs it.
    settings bytea NOT NULL
);
CREATE INDEX matches_by_status ON matches (status, changed);
-- However many nodes create matches at once, one gets the name.
CREATE UNIQUE INDEX matches_by_name ON matches (name_key) WHERE is_listed AND status < 2;

-- The match up to the entry `number`, beside what is read for lists.
CREATE TABLE heads (
    match_id bigint PRIMARY KEY REFERENCES matches (id) ON DELETE CASCADE,
    number bigint NOT NULL,
    head bytea NOT NULL
);

-- What happened in a match, never changed once it is written.
CREATE TABLE entries (
    match_id bigint NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    number bigint NOT NULL,
    entry bytea NOT NULL,
    PRIMARY KEY (match_id, number)
);

-- Who holds a seat. Of a token only its hash is stored.
CREATE TABLE holders (
    match_id bigint NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat smallint NOT NULL,
    name text NOT NULL,
    token_hash bytea NOT NULL,
    -- What who holds it has committed to when it took the seat.
    commitment bytea,
    PRIMARY KEY (match_id, seat)
);

-- The sources of rules that matches were played under, by their fingerprint: many matches share them.
CREATE TABLE rules (
    fingerprint bytea PRIMARY KEY,
    sources bytea NOT NULL
);

-- What was said in a match, and who took a seat in between, in order.
CREATE TABLE chat (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    match_id bigint NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    entry bytea NOT NULL
);
CREATE INDEX chat_by_match ON chat (match_id, id);

-- How many matches of each status there are.
CREATE TABLE totals (
    status smallint PRIMARY KEY,
    matches bigint NOT NULL
);
INSERT INTO totals (status, matches) VALUES (0, 0), (1, 0), (2, 0);
-- Counted when a transaction is about to be committed and has locked all matches that it will, one transaction after the other: so none waits for one
-- that waits for it.
CREATE FUNCTION count_matches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(7474, 1);
    IF TG_OP <> 'INSERT' THEN
        UPDATE totals SET matches = matches - 1 WHERE status = OLD.status;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        UPDATE totals SET matches = matches + 1 WHERE status = NEW.status;
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER match_came_or_went AFTER INSERT OR DELETE ON matches
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_matches();
CREATE CONSTRAINT TRIGGER match_went_on AFTER UPDATE ON matches
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION count_matches();

-- The servers that run matches. Each is one from its start, or from when it was declared dead, to its end: numbers are never used again. All times are
-- those of this database.
CREATE TABLE nodes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- Where the other nodes reach it.
    address text NOT NULL,
    -- Until when it counts as alive unless it says again that it is.
    alive_until timestamptz NOT NULL,
    -- Since when it has said so in time: one for which the database was not there does not say of others that they were late.
    steady_since timestamptz NOT NULL
);

-- Which node runs a match. One whose node has left or was declared dead waits to be taken over.
CREATE TABLE leases (
    match_id bigint PRIMARY KEY REFERENCES matches (id) ON DELETE CASCADE,
    node_id bigint REFERENCES nodes (id) ON DELETE SET NULL
);
CREATE INDEX leases_by_node ON leases (node_id);

-- What all nodes know and nobody else: one row.
CREATE TABLE cluster (
    secret text NOT NULL,
    -- What they keep in common beside matches.
    notes text NOT NULL DEFAULT ''
);
INSERT INTO cluster (secret) VALUES (replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''));
