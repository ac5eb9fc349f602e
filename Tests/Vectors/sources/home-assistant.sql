CREATE TABLE states_meta (metadata_id INTEGER NOT NULL, entity_id VARCHAR(255), PRIMARY KEY (metadata_id));
CREATE TABLE state_attributes (attributes_id INTEGER NOT NULL, hash BIGINT, shared_attrs TEXT,
    PRIMARY KEY (attributes_id));
CREATE TABLE states (state_id INTEGER NOT NULL, entity_id CHAR(0), state VARCHAR(255), attributes CHAR(0),
    event_id SMALLINT, last_changed CHAR(0), last_changed_ts FLOAT, last_reported_ts FLOAT, last_updated CHAR(0),
    last_updated_ts FLOAT, old_state_id INTEGER, attributes_id INTEGER, origin_idx SMALLINT, metadata_id INTEGER,
    PRIMARY KEY (state_id));
INSERT INTO states_meta VALUES (1, 'binary_sensor.phone_focus'), (2, 'sensor.attic'), (3, 'no dot');
INSERT INTO state_attributes VALUES
    (1, 0, '{"friendly_name":"Fokus","icon":"x"}'),
    (2, 0, '{"device_class":"temperature","unit_of_measurement":"°C","friendly_name":"Attic"}'), (3, 0, 'not json');
INSERT INTO states(state_id, state, last_changed_ts, last_updated_ts, attributes_id, metadata_id) VALUES
    (1, 'on', NULL, 1772366400.5, 1, 1), (2, '21.5', 1772366400.0, 1772366460.0, 2, 2),
    (3, 'unavailable', NULL, NULL, 3, 2), (4, NULL, NULL, 1e300, NULL, 1), (5, 'x', NULL, 1, 1, 3), (6, 'x', NULL, 1, 1, 9);
