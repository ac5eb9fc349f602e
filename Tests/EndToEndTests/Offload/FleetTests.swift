import Foundation
import TemporaryFolder
import Testing

/// Many servers: stock HAProxy, PostgreSQL and Linux namespaces, nothing of our own. And what runs them elsewhere.
@Suite struct FleetTests {
    /// Why the machine cannot show it; nil where it can.
    static let missing: String? = {
        guard geteuid() == 0 else { return "only root makes network namespaces here" }
        let paths = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"]
        for program in ["haproxy", "ip", "unshare", "psql"]
        where !paths.contains(where: { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }) {
            return "there is no \(program) here"
        }
        return FileManager.default.fileExists(atPath: "/usr/lib/postgresql")
            ? nil : "there is no PostgreSQL here"
    }()

    struct Runs: Decodable {
        var status: [Int]
        var results: Int
        var sessions: [String: Int]
    }

    struct Facts: Decodable {
        struct Killed: Decodable {
            var status: Int
            var output: String
            var lost: Bool
        }
        struct Revoked: Decodable {
            var status: [Int]
            var named: Bool
        }
        var keyOfTheAuthority: [Bool]
        var spread: Runs
        var slow: Runs
        var killed: Killed
        var after: Runs
        var back: Runs
        var revoked: Revoked
        var victim: String
    }

    @Test(.enabled(if: missing == nil, "\(missing ?? "")"))
    func replicasBehindAStockBalancerAreOneServer() throws {
        // PostgreSQL runs as a user of its own.
        let scratch = try TemporaryFolder("fleet", mode: 0o755)
        let outcome = try Self.python([
            "Tests/EndToEndTests/Offload/balancer.py", Bundle.main.bundleURL.path, Escrow.packages.path,
            scratch.path,
        ])
        try #require(outcome.status == 0, "\(outcome.everything)")
        let facts = try JSONDecoder().decode(Facts.self, from: Data(outcome.output.utf8))
        // One folder alone can make devices and servers.
        #expect(facts.keyOfTheAuthority == [true, false, false])
        #expect(facts.spread.status == [0])
        #expect(facts.spread.results == 1)
        #expect(facts.spread.sessions.values.allSatisfy { $0 > 0 }, "\(facts.spread)")
        // A server that is starved of its processor loses no run.
        #expect(facts.slow.status == [0])
        // Killed midway, or before it said that it began: said, nothing returned, not tried again by anybody.
        #expect(facts.killed.status == 19)
        #expect(facts.killed.lost)
        #expect(facts.killed.output.isEmpty)
        // The next ones go on at the others.
        #expect(facts.after.status == [0])
        #expect(facts.after.sessions.filter { $0.key != facts.victim }.values.allSatisfy { $0 > 0 })
        #expect(facts.back.status == [0])
        #expect(facts.back.sessions[facts.victim] ?? 0 > 0, "\(facts.back)")
        // Revoked at one is revoked at all.
        #expect(facts.revoked.status == [19])
        #expect(facts.revoked.named)
    }

    @Test func theManifestsForKubernetesAreValid() throws {
        guard try Self.python(["-c", "import kubernetes_validate"]).status == 0 else {
            print("SKIP FleetTests: kubernetes-validate is not installed")
            return
        }
        let outcome = try Self.python([
            "Tests/Support/check_manifests.py", "scripts/kubernetes/escrow-server.yaml",
        ])
        try #require(outcome.status == 0, "\(outcome.everything)")
        for kind in ["Deployment", "Service", "HorizontalPodAutoscaler", "NetworkPolicy", "Namespace"] {
            #expect(outcome.output.contains("\(kind) "))
        }
        // The check can fail: a member that no Deployment has.
        let scratch = try TemporaryFolder("fleet")
        let broken = scratch.url.appending(path: "broken.yaml")
        let text = try String(
            contentsOf: Escrow.root.appending(path: "scripts/kubernetes/escrow-server.yaml"), encoding: .utf8)
        try text.replacingOccurrences(of: "replicas: 3", with: "replica: 3").write(
            to: broken, atomically: true, encoding: .utf8)
        #expect(try Self.python(["Tests/Support/check_manifests.py", broken.path]).status != 0)
    }

    static func python(_ arguments: [String]) throws -> Escrow.Outcome {
        let own = Escrow.root.appending(path: ".build/python/bin/python3")
        let program =
            FileManager.default.isExecutableFile(atPath: own.path) ? own : URL(filePath: "/usr/bin/python3")
        return try Escrow.start(arguments, home: Escrow.root, program: program)
    }
}
