import EscrowJSON
import EscrowSchema
import EscrowTabular
import EscrowTrust

extension TableSpec {
    /// The table as apps may know it.
    var appView: JSONValue {
        [
            "name": .string(name), "source": .string(sourceKind), "summary": .string(summary),
            "columns": .array(
                columns.map {
                    [
                        "name": .string($0.name), "type": .string($0.type.rawValue),
                        "nullable": .bool($0.isNullable), "summary": .string($0.summary),
                    ]
                }), "examples": .array(examples.map(JSONValue.string)),
        ]
    }
}

extension InstalledPlugin {
    /// The plugin as apps may know it.
    var appView: JSONValue {
        ["id": .string(id), "name": .string(shortName), "version": .string(version)]
    }
}
