import EscrowOffloadWire
import Testing

/// What a device may call its run and its plugin: a server's owner reads both in a log.
@Suite struct BeginTests {
    private static func read(run: String, plugin: String) throws -> FromDevice {
        let limits = RemoteLimits(
            wallMilliseconds: 1, cpuSeconds: 1, memoryMiB: 1, outputBytes: 1, logBytes: 1, processes: 1)
        let begin = Begin(
            run: run, plugin: plugin, manifest: String(repeating: "a", count: 64), limits: limits)
        return try FromDevice(FromDevice.begin(begin).encoded)
    }

    @Test(arguments: [
        "", "r", "r-", "r-x", "r-1A", "1-1", "r-1\nescrow-server: a forged line", "r-1\u{1B}[31m", "r-1 ",
        "r-\u{661}", "R-1", "r-" + String(repeating: "1", count: 63),
    ])
    func aRunWhoseNameIsNoRunsIsRefused(run: String) {
        #expect(throws: OffloadWireError.self) { try Self.read(run: run, plugin: "org.example.a") }
    }

    @Test(arguments: [
        "", "org", "org.", ".org", "org..a", "org.-a", "org.a-", "Org.a", "org.a\nb", "org.a b", "org.\u{E4}",
        "plug\nJohn Smith +49 30 1234567", "org." + String(repeating: "a", count: 64),
        String(repeating: "org.", count: 32) + "a",
    ])
    func aPluginWhoseNameIsNoPluginsIsRefused(plugin: String) {
        #expect(throws: OffloadWireError.self) { try Self.read(run: "r-1", plugin: plugin) }
    }

    @Test(arguments: [
        ("r-8f00a1b2c3d4", "org.example.phone-check"), ("r-1", "a.b"),
        ("r-" + String(repeating: "f", count: 62), "org." + String(repeating: "a", count: 63)),
    ])
    func whatAHostNamesIsRead(run: String, plugin: String) throws {
        guard case .begin(let begin) = try Self.read(run: run, plugin: plugin) else {
            Issue.record("another message")
            return
        }
        #expect(begin.run == run && begin.plugin == plugin)
    }
}
