internal import EscrowJSON

/// `identifiers.json` of a home: strict, versioned, replaced in one step.
struct IdentifierFile: Equatable {
    /// What an app is known by: its identifier, and the secret that its pseudonyms are made with.
    struct Application: Equatable {
        var value: String
        var secret: [UInt8]

        static func fresh() -> Application {
            Application(value: Identifier.randomValue(), secret: RandomBytes.make(32))
        }
    }

    /// Room for as many apps and vendors as there may be, with the longest names.
    static let maximumBytes = 8 << 20
    static let maximumOwners = 10_000

    /// What the fingerprint of the device is salted with.
    var salt: [UInt8]
    /// The device that the vendors' and the advertising identifiers are bound to.
    var device: String
    /// App id → what it is known by.
    var applications: [String: Application] = [:]
    /// Key id → identifier.
    var vendors: [String: String] = [:]
    /// The advertising identifier, once it was asked for.
    var advertising: String?

    /// A file without identifiers, on a device.
    init(on device: DeviceIdentity) {
        salt = RandomBytes.make(16)
        self.device = device.fingerprint(salt: salt)
    }

    /// Binds the file to a device. On another device it forgets the identifiers that must not move with the individual.
    /// Returns whether anything changed.
    mutating func move(to device: DeviceIdentity) -> Bool {
        let here = device.fingerprint(salt: salt)
        guard here != self.device else { return false }
        self.device = here
        vendors = [:]
        advertising = nil
        return true
    }

    /// The file's text.
    var bytes: [UInt8] {
        var members: [(name: String, value: JSONValue)] = [
            ("escrow-identifiers", 1), ("salt", .string(Hex.string(salt))), ("device", .string(device)),
            (
                "applications",
                .array(
                    applications.sorted { $0.key < $1.key }.map {
                        [
                            "app": .string($0), "id": .string($1.value),
                            "secret": .string(Hex.string($1.secret)),
                        ]
                    })
            ),
            (
                "vendors",
                .array(
                    vendors.sorted { $0.key < $1.key }.map { ["key": .string($0), "id": .string($1)] })
            ),
        ]
        if let advertising { members.append(("advertising", .string(advertising))) }
        return JSONWriter.document(.object(members))
    }

    /// Reads a file; whatever is not as it is written is an error.
    init(_ bytes: [UInt8]) throws(JSONError) {
        var file = try JSONObjectReader(
            try JSONParser.parse(bytes, limits: .init(depth: 4, bytes: Self.maximumBytes, values: 200_000)))
        let version = try file.required("escrow-identifiers")
        guard try version.requireInteger() == 1 else {
            throw JSONError(.wrongType(expected: "version 1 of this file"), at: version.position)
        }
        salt = try Self.hex(file.required("salt"), 16)
        device = Hex.string(try Self.hex(file.required("device"), 32))
        for item in try file.required("applications").requireArray() {
            var entry = try JSONObjectReader(item)
            let app = try entry.required("app").requireString()
            applications[app] = Application(
                value: try Self.value(entry.required("id")),
                secret: try Self.hex(entry.required("secret"), 32))
            try entry.finish()
        }
        for item in try file.required("vendors").requireArray() {
            var entry = try JSONObjectReader(item)
            let key = try entry.required("key").requireString()
            vendors[key] = try Self.value(entry.required("id"))
            try entry.finish()
        }
        if let node = file.optional("advertising") { advertising = try Self.value(node) }
        try file.finish()
    }

    private static func hex(_ node: JSONNode, _ count: Int) throws(JSONError) -> [UInt8] {
        guard let bytes = Hex.read(try node.requireString().utf8), bytes.count == count else {
            throw JSONError(.wrongType(expected: "\(count) bytes in hexadecimal"), at: node.position)
        }
        return bytes
    }

    private static func value(_ node: JSONNode) throws(JSONError) -> String {
        let text = try node.requireString()
        guard Identifier.isValue(text) else {
            throw JSONError(.wrongType(expected: "a UUID in lower case"), at: node.position)
        }
        return text
    }
}
