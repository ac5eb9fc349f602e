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
