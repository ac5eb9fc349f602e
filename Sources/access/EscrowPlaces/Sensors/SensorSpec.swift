internal import EscrowSchema
internal import EscrowTabular

/// The table that Home Assistant's recorder serves, and the desktop.
enum SensorSpec {
    enum Column: Int, CaseIterable {
        case entityID, domain, state, value, deviceClass, friendlyName, unit, lastChanged, lastUpdated
    }

    static let states = TableSpec(
        name: "SensorStates", sourceKind: "sensors",
        summary:
            "One row is one state that a sensor or another entity took: motion and focus of a phone, or whether the desktop is to be quiet.",
        columns: [
            ColumnSpec(
                "entityID", .text, nullable: false,
                "The entity, for example `binary_sensor.phone_focus`; the desktop's do-not-disturb is `binary_sensor.desktop_focus`."
            ),
            ColumnSpec(
                "domain", .text, nullable: false, "What stands before the dot of the entity: `binary_sensor`."
            ),
            ColumnSpec(
                "state", .text, "The state as a word, for example `on`, `Walking`, `21.5` or `unavailable`."),
            ColumnSpec("value", .real, "The state as a number, if it is one, in `unit`."),
            ColumnSpec(
                "deviceClass", .text, "What kind of sensor it is, for example `motion` or `temperature`."),
            ColumnSpec("friendlyName", .text, "The name that people gave it."),
            ColumnSpec("unit", .text, "The unit of measurement, for example `°C`."),
            ColumnSpec(
                "lastChanged", .timestamp,
                "When the entity took the state; null of the desktop, which does not tell since when."),
            ColumnSpec(
                "lastUpdated", .timestamp,
                "When it was reported, with this state or its attributes anew; of the desktop, when it was asked."
            ),
        ],
        examples: [
            "SELECT lastChanged, state FROM SensorStates WHERE entityID = 'sensor.phone_activity' ORDER BY lastChanged DESC LIMIT 20",
            "SELECT entityID, state, max(lastChanged) AS since FROM SensorStates WHERE entityID LIKE 'binary_sensor.%focus' GROUP BY entityID",
            "SELECT state FROM SensorStates WHERE entityID = 'binary_sensor.desktop_focus'",
        ])
}
