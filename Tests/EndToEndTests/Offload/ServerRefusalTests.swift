import Foundation
import Testing

/// What stops a run at a server before anything of the individual's is sent: each by its own name.
@Suite struct ServerRefusalTests {
    enum Case: String, CaseIterable {
        case nobodyListens = "E1203"
        case anotherAuthority = "E1204"
        case anotherServerOfTheAuthority = "E1206"
        case deviceRevoked = "E1207"
        case notRegistered = "E1210"
        case pluginRevoked = "E1211"
        case notTrustedThere = "E1214"
        case noSuchServer = "E1200"
        case notForThisServer = "E1217"
    }

    @Test(arguments: Case.allCases)
    func eachHasItsCodeAndNothingIsReturned(which: Case) throws {
        let server = try OffloadServer(plugins: which == .notRegistered ? [] : ["phone-check"])
        var file = try server.enrol()
        var options: [String] = []
        var name = "home"
        switch which {
        case .nobodyListens: break
        case .anotherAuthority, .anotherServerOfTheAuthority:
            // The one that was named is not there; another answers at its address.
            let other = try OffloadServer(
                authority: which == .anotherServerOfTheAuthority ? server.folder : nil)
            try other.start()
            file = try Self.moved(file, to: other)
            try Self.check(file, which, options, name)
            return
        case .deviceRevoked:
            try server.command(["device", "revoke", "laptop"])
            try server.start()
        case .pluginRevoked:
            try server.start()
            // Read anew for each run: no restart is needed.
            try server.command(["registry", "revoke", "org.example.phone-check"])
        case .notTrustedThere:
            try Data().write(to: URL(filePath: server.folder + "/trust.signers"))
            try server.start()
        case .notRegistered: try server.start()
        case .noSuchServer:
            try server.start()
            name = "elsewhere"
        case .notForThisServer:
            try server.start()
            options = ["--plugins", "org.example.other.*"]
        }
        try Self.check(file, which, options, name)
        #expect(!server.log.contains("clean"))
    }

    private static func check(_ file: String, _ which: Case, _ options: [String], _ name: String) throws {
        let escrow = try Escrow.offloading(to: file)
        if !options.isEmpty {
            let again = try Escrow.start(["server", "add", file] + options, home: escrow.home)
            #expect(again.status == 0)
        }
        let outcome = try escrow.offload(at: name)
        #expect(outcome.words.contains("[\(which.rawValue)]"), "\(which): \(outcome.words)")
        let status: Int32 =
            switch which {
            case .noSuchServer: 64
            case .notForThisServer: 10
            default: 19
            }
        #expect(outcome.status == status)
        #expect(outcome.output.isEmpty)
        #expect(!outcome.words.contains("Person"))
    }

    @Test func aCertificateThatExpiredIsNamed() throws {
        let server = try OffloadServer()
        let file = try server.enrol()
        try server.command(["renew", "--days=0"])
        try server.start()
        let escrow = try Escrow.offloading(to: file)
        let outcome = try escrow.offload()
        #expect(outcome.status == 19)
        #expect(outcome.words.contains("[E1205]"), "\(outcome.words)")
        #expect(outcome.output.isEmpty)
        #expect(try escrow.run("server", "check", "home").words.contains("[E1205]"))
        // A new certificate for the same key, and all is well.
        server.stop()
        try server.command(["renew"])
        try server.start()
        #expect(try escrow.offload().status == 0)
    }

    /// A server's clock decides for it alone; whatever it shows, nothing is sent, and the reason has a name.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: anotherClock), "libfaketime is not installed"))
    func aServersWrongClockIsNamed() throws {
        let server = try OffloadServer()
        let escrow = try Escrow.offloading(to: try server.enrol())
        // Beyond the year of the plugin's signature; beyond the certificates too, where it ends each connection.
        for (days, code) in [(+380, "E1214"), (+800, "E1225")] {
            // Through another program: libfaketime moves the environment of the first that it is loaded into, next to which Swift looks for
            // the arguments.
            try server.start(
                through: ["env"],
                environment: [
                    "LD_PRELOAD": Self.anotherClock, "FAKETIME": "\(days > 0 ? "+" : "")\(days)d",
                    "FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_DONT_RESET": "1",
                ])
            let outcome = try escrow.offload()
            #expect(outcome.status == 19, "\(days) days: \(outcome.status)")
            #expect(outcome.words.contains("[\(code)]"), "\(days) days: \(outcome.words) \(server.log)")
            #expect(outcome.output.isEmpty)
            #expect(!server.log.contains("clean"))
            server.stop()
        }
        try server.start()
        #expect(try escrow.offload().status == 0)
    }

    private static let anotherClock = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"

    /// The same enrolment at the address of another server.
    private static func moved(_ file: String, to other: OffloadServer) throws -> String {
        func object(_ path: String) throws -> [String: Any] {
            try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path)))
                    as? [String: Any])
        }
        var ours = try object(file)
        ours["port"] = try object(other.folder + "/server.json")["port"]
        try JSONSerialization.data(withJSONObject: ours).write(to: URL(filePath: file))
        return file
    }
}
