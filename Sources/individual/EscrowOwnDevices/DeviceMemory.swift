import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
import EscrowLedger

/// What a home remembers of its exchange with the individual's other devices: `devices.json`.
struct DeviceMemory: Equatable {
    /// What this device and the group agreed on last: a thing's kind and id, and its text.
    var agreed: [String: String] = [:]
    /// Of each other ledger the key of its host, and the head that was cosigned last.
    var ledgers: [String: Seen] = [:]
    /// The seed of the key that cosigns.
    var seed: [UInt8] = Witness.newSeed()

    struct Seen: Equatable {
        var key: String
        var size: UInt64
        var root: String
    }

    static func file(_ home: String) -> StoreFile {
        StoreFile(
            home + "/devices.json", limit: 64 << 20, help: "take decisions back: escrow grant list")
    }

    static func load(_ home: String) throws(Diagnostic) -> DeviceMemory {
        guard let bytes = try file(home).read() else { return DeviceMemory() }
        return try read(bytes)
    }

    func save(_ home: String) throws(Diagnostic) {
        let value: JSONValue = [
            "escrow-devices": 1, "seed": .string(Hex.string(seed)),
            "agreed": .object(agreed.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }),
            "ledgers": .object(
                ledgers.sorted { $0.key < $1.key }.map {
                    (
                        $0.key,
                        [
                            "key": .string($0.value.key), "size": .integer(Int64($0.value.size)),
                            "root": .string($0.value.root),
                        ]
                    )
                }),
        ]
        try Self.file(home).replace(with: JSONWriter.document(value)) { (bytes) throws(Diagnostic) in
            _ = try Self.read(bytes)
        }
    }

    private static func read(_ bytes: [UInt8]) throws(Diagnostic) -> DeviceMemory {
        do throws(JSONError) {
            var object = try JSONObjectReader(
                JSONParser.parse(bytes, limits: .init(depth: 6, bytes: 64 << 20, values: 500_000)))
            _ = try object.required("escrow-devices").requireInteger()
            var memory = DeviceMemory()
            let seed = try object.required("seed")
            memory.seed = Hex.read(try seed.requireString().utf8) ?? []
            guard memory.seed.count == 32 else {
                throw JSONError(.wrongType(expected: "32 bytes"), at: seed.position)
            }
            for member in try object.required("agreed").requireMembers() {
                memory.agreed[member.name] = try member.value.requireString()
            }
            for member in try object.required("ledgers").requireMembers() {
                var ledger = try JSONObjectReader(member.value)
                memory.ledgers[member.name] = Seen(
                    key: try ledger.required("key").requireString(),
                    size: UInt64(clamping: try ledger.required("size").requireInteger()),
                    root: try ledger.required("root").requireString())
                try ledger.finish()
            }
            try object.finish()
            return memory
        } catch {
            throw Diagnostic(
                .devicesUnreadable,
                "what this home remembers of your other devices cannot be read: \(error.impersonalMessage)",
                help: "restore devices.json from a backup of the escrow home")
        }
    }
}
