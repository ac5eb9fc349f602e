import EscrowDiagnostics
import EscrowServerRegistry
import TemporaryFolder
import Testing

/// Both registries give the same answers.
@Suite struct RegistryTests {
    enum Kind: CaseIterable { case sqlite, postgres }

    /// Makes a registry twice over the same store: what one writes the other reads.
    private func pair(_ kind: Kind, _ body: (any Registry, any Registry) throws -> Void) throws {
        switch kind {
        case .sqlite:
            let scratch = try TemporaryFolder("registry")
            let path = scratch.path + "/registry.db"
            try body(try SQLiteRegistry(path), try SQLiteRegistry(path))
        case .postgres:
            guard Postgres.isHere else {
                print("SKIP RegistryTests: there is no PostgreSQL server on this machine")
                return
            }
            let server = try Postgres()
            try body(try PostgresRegistry(server.words), try PostgresRegistry(server.words))
        }
    }

    /// Bytes that a text could not hold.
    private static let package: [UInt8] = [0, 0xFF, 0x27, 0x5C, 0x00, 0x0A]

    private static func plugin(_ id: String, _ sequence: Int64) -> RegisteredPlugin {
        RegisteredPlugin(
            id: id, version: "1.0.\(sequence)", manifest: String(repeating: "\(sequence)", count: 64),
            sequence: sequence)
    }

    @Test(arguments: Kind.allCases) func whatOneServerRegistersAnotherHas(kind: Kind) throws {
        try pair(kind) { one, other in
            try one.register(Self.plugin("org.example.b", 2), package: Self.package)
            try one.register(Self.plugin("org.example.b", 1), package: [])
            try one.register(Self.plugin("org.example.a", 3), package: Self.package)
            #expect(try other.plugins().map(\.sequence) == [3, 1, 2])
            #expect(try other.plugins("org.example.b").map(\.version) == ["1.0.1", "1.0.2"])
            #expect(try other.plugins("org.example.b' OR '1'='1").isEmpty)
            #expect(try other.package(String(repeating: "2", count: 64)) == Self.package)
            #expect(try other.package(String(repeating: "1", count: 64)) == [])
            #expect(try other.package(String(repeating: "9", count: 64)) == nil)
        }
    }

    @Test(arguments: Kind.allCases) func whatWasRevokedIsRevokedForAllAndForEver(kind: Kind) throws {
        try pair(kind) { one, other in
            let plugin = Self.plugin("org.example.a", 1)
            try one.register(plugin, package: Self.package)
            try one.register(Self.plugin("org.example.a", 2), package: Self.package)
            #expect(try other.revoke("org.example.a", manifest: plugin.manifest) == 1)
            #expect(try one.plugins("org.example.a").map(\.isRevoked) == [true, false])
            try one.register(plugin, package: [1])
            #expect(try other.plugins("org.example.a").map(\.isRevoked) == [true, false])
            #expect(try other.revoke("org.example.a", manifest: nil) == 2)
            #expect(try one.revoke("org.example.none", manifest: nil) == 0)
        }
    }

    @Test(arguments: Kind.allCases) func whatIsRemovedIsStillKnown(kind: Kind) throws {
        try pair(kind) { one, other in
            let plugin = Self.plugin("org.example.a", 1)
            try one.register(plugin, package: Self.package)
            #expect(try other.remove("org.example.a") == 1)
            #expect(try other.remove("org.example.a") == 0)
            #expect(try one.package(plugin.manifest) == nil)
            #expect(try one.plugins("org.example.a").count == 1)
        }
    }

    @Test(arguments: Kind.allCases) func devicesAreKnownByTheirCertificate(kind: Kind) throws {
        try pair(kind) { one, other in
            try one.enrol(RegisteredDevice(name: "phone", fingerprint: "f1"))
            try one.enrol(RegisteredDevice(name: "laptop", fingerprint: "f2"))
            #expect(try other.devices().map(\.name) == ["laptop", "phone"])
            #expect(try other.device("f1")?.isRevoked == false)
            #expect(try other.device("f3") == nil)
            #expect(try one.revokeDevice("phone") == 1)
            #expect(try other.device("f1")?.isRevoked == true)
        }
    }

    @Test func aConnectionThatBrokeIsMadeAnew() throws {
        guard Postgres.isHere else {
            print("SKIP RegistryTests: there is no PostgreSQL server on this machine")
            return
        }
        let server = try Postgres()
        let registry = try PostgresRegistry(server.words)
        try registry.enrol(RegisteredDevice(name: "phone", fingerprint: "f1"))
        try server.dropConnections()
        #expect(try registry.device("f1")?.name == "phone")
        try server.dropConnections()
        try registry.register(Self.plugin("org.example.a", 1), package: Self.package)
        #expect(try registry.plugins().count == 1)
    }

    @Test func aDatabaseThatDoesNotAnswerIsNamed() throws {
        #expect {
            _ = try PostgresRegistry("host=/nowhere user=escrow password=hidden-word")
        } throws: { error in
            let diagnostic = error as? Diagnostic
            return diagnostic?.code == .registryUnusable && !"\(error)".contains("hidden-word")
        }
    }
}
