-- The part of a group's database, as `escrow group` keeps it on a device, that the kind account-book reads.
CREATE TABLE shown(id TEXT PRIMARY KEY, class TEXT NOT NULL, object TEXT NOT NULL);
INSERT INTO shown VALUES ('c1', 'Classification', '{"name":"food"}');
INSERT INTO shown VALUES ('s1', 'Shop', '{"name":"baker"}');
INSERT INTO shown VALUES ('r1', 'Record', '{"day":"2027-01-05","cents":1250,"class":"c1","shop":"s1","note":"rolls"}');
INSERT INTO shown VALUES ('r2', 'Record', '{"day":"2027-02-06","cents":320,"class":"c1","shop":"s1"}');
