-- Lists cost what they show, however many matches are private.
CREATE INDEX matches_listed ON matches (status, changed) WHERE is_listed;
