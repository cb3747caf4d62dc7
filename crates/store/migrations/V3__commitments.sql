-- What who holds a seat has committed to when it took the seat.
ALTER TABLE holders ADD COLUMN commitment BLOB;
