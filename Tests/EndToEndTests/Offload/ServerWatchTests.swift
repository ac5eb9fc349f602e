import Foundation
import TemporaryFolder
import Testing

/// What a server's owner can watch: counts and spans, and nothing of anybody's data among them.
@Suite struct ServerWatchTests {
    @Test func metricsAndTracesTellOfRunsAndOfNobodysData() throws {
        let server = try OffloadServer()
        let traces = server.scratch.url.appending(path: "traces.jsonl")
        try server.start(more: ["--metrics", "0", "--traces", traces.path])
        let escrow = try Escrow.offloading(to: try server.enrol(), contacts: 2_000)
        let outcome = try escrow.offload()
        try #require(outcome.status == 0, "\(outcome.words) \(server.log)")
        try server.command(["registry", "revoke", "org.example.phone-check"])
        #expect(try escrow.offload().status == 19)

        let port = try #require(server.metricsPort)
        let metrics = try Self.get("http://127.0.0.1:\(port)/metrics")
        for line in [
            "escrow_server_runs_begun_total 1", "escrow_server_runs_running 0",
            "escrow_server_runs_refused_total{why=\"revokedPlugin\"} 1",
            "escrow_server_runs_ended_total{outcome=\"clean\"} 1", "escrow_server_run_seconds_count 1",
            "escrow_server_launch_seconds_bucket{le=\"+Inf\"} 1",
        ] {
            #expect(metrics.contains(line + "\n"), "\(line)\n\(metrics)")
        }
        let input = try #require(metrics.firstMatch(of: /escrow_server_input_bytes_total ([0-9]+)/))
        #expect(Int(input.output.1) ?? 0 > 20_000)
        // No row can be counted by it.
        #expect((Int(input.output.1) ?? 1) % 65_536 == 0)
        // Every line is one of Prometheus' format.
        for line in metrics.split(separator: "\n") where !line.hasPrefix("# ") {
            #expect(line.wholeMatch(of: /[a-z_]+(\{[a-z]+="[^"]*"\})? [0-9.e+-]+/) != nil, "\(line)")
        }
        #expect(try Self.get("http://127.0.0.1:\(port)/healthz") == "serving\n")
        #expect(try Self.get("http://127.0.0.1:\(port)/registry").contains("there are"))

        server.stop(SIGTERM)
        let spans = try String(contentsOf: traces, encoding: .utf8)
        var names: [String] = []
        var ids: [String: String] = [:]
        for line in spans.split(separator: "\n") {
            let whole = try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let resource = try #require((whole["resourceSpans"] as? [[String: Any]])?.first)
            let scope = try #require((resource["scopeSpans"] as? [[String: Any]])?.first)
            let span = try #require((scope["spans"] as? [[String: Any]])?.first)
            names.append(try #require(span["name"] as? String))
            ids[try #require(span["spanId"] as? String)] = span["parentSpanId"] as? String
        }
        #expect(names.sorted() == ["launch", "launch", "run", "run"])
        // A launch is part of its run.
        #expect(ids.values.filter { !$0.isEmpty }.allSatisfy { ids[$0] == "" })
        for canary in ["2122550001", "(212) 255-0001", "Person", "c1999", "org.example.test", "laptop"] {
            #expect(!metrics.contains(canary), "\(canary) is in the metrics")
            #expect(!spans.contains(canary), "\(canary) is in the traces")
        }
    }

    private static func get(_ url: String) throws -> String {
        let outcome = try Escrow.start(
            ["-s", "--max-time", "120", url], home: Escrow.root, program: URL(filePath: "/usr/bin/curl"))
        try #require(outcome.status == 0, "\(url): \(outcome.status)")
        return outcome.output
    }
}
