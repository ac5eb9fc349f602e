PRAGMA user_version=86;
CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url LONGVARCHAR, title LONGVARCHAR, rev_host LONGVARCHAR,
    visit_count INTEGER DEFAULT 0, hidden INTEGER DEFAULT 0 NOT NULL, typed INTEGER DEFAULT 0 NOT NULL,
    frecency INTEGER DEFAULT -1 NOT NULL, last_visit_date INTEGER, guid TEXT, foreign_count INTEGER DEFAULT 0 NOT NULL,
    url_hash INTEGER DEFAULT 0 NOT NULL, description TEXT, preview_image_url TEXT, site_name TEXT, origin_id INTEGER,
    recalc_frecency INTEGER NOT NULL DEFAULT 0, alt_frecency INTEGER, recalc_alt_frecency INTEGER NOT NULL DEFAULT 0);
CREATE TABLE moz_historyvisits (id INTEGER PRIMARY KEY, from_visit INTEGER, place_id INTEGER, visit_date INTEGER,
    visit_type INTEGER, session INTEGER, source INTEGER DEFAULT 0 NOT NULL, triggeringPlaceId INTEGER);
CREATE TABLE moz_bookmarks (id INTEGER PRIMARY KEY, type INTEGER, fk INTEGER DEFAULT NULL, parent INTEGER,
    position INTEGER, title LONGVARCHAR, keyword_id INTEGER, folder_type TEXT, dateAdded INTEGER, lastModified INTEGER,
    guid TEXT, syncStatus INTEGER NOT NULL DEFAULT 0, syncChangeCounter INTEGER NOT NULL DEFAULT 1);
CREATE UNIQUE INDEX moz_bookmarks_guid_uniqueindex ON moz_bookmarks (guid);
INSERT INTO moz_places(id, url, title, visit_count) VALUES
    (1, 'https://user:pw@WWW.Example.org:8443/a?b#c', 'Grüße', 2), (2, 'about:blank', NULL, 1),
    (3, 'http://[::1]:80/', 'Six', 0);
INSERT INTO moz_historyvisits(id, place_id, visit_date, visit_type) VALUES
    (1, 1, 1772366400123456, 2), (5, 2, 1772366401000000, 1), (6, 99, 1, 1), (7, 1, NULL, 42);
INSERT INTO moz_bookmarks(id, type, fk, parent, position, title, dateAdded, lastModified, guid) VALUES
    (1, 2, NULL, 0, 0, '', 1, 1, 'root________'), (2, 2, NULL, 1, 0, 'x', 1, 1, 'toolbar_____'),
    (3, 2, NULL, 2, 0, 'News', 1, 1, 'abc'), (4, 1, 1, 3, 0, 'Example', 1772366400000000, 1772366401000000, 'def'),
    (5, 3, NULL, 3, 1, NULL, 1, 1, 'sep'), (6, 2, NULL, 7, 0, 'A', 1, 1, 'l1'), (7, 2, NULL, 6, 0, 'B', 1, 1, 'l2'),
    (8, 1, 3, 6, 0, NULL, NULL, NULL, 'loop');
