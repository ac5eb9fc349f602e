import EscrowDiagnostics
import EscrowEgress
import EscrowJSON
import EscrowManifest
import Testing

@Suite("A request goes to an address that was checked, after it was recorded, or not at all")
struct MediatorTests {
    let recorder = ScriptedRecorder()
    let transport = RecordingTransport()

    func mediator(_ resolver: ScriptedResolver, standIns: [String: StandIn] = [:]) throws -> Mediator {
        Mediator(
            endpoints: [
                try Fixture.endpoint(
                    #""n": { "in": "query", "type": "boolean" }"#, url: "https://api.example.org/")
            ],
            resolver: resolver, transport: transport, standIns: standIns, clock: TestClock(),
            recorder: recorder)
    }

    func code(_ result: Result<IncomingResponse, EgressRefusal>) -> String? {
        if case .failure(let refusal) = result { refusal.diagnostic.code.rawValue } else { nil }
    }

    @Test("The name is asked for once, and its address is the one connected to")
    func once() throws {
        let resolver = ScriptedResolver(["93.184.215.14", "2606:4700:4700::1111"], ["127.0.0.1"])
        var mediator = try mediator(resolver)
        transport.before = { [recorder] in recorder.events.append("send") }
        #expect(code(try mediator.fetch("forecast", [("n", true)])) == nil)
        #expect(resolver.asked == ["api.example.org"])
        #expect(
            transport.sent.map(\.destination) == [
                Destination(host: "api.example.org", address: try #require(IPAddress("93.184.215.14")))
            ])
        #expect(recorder.events == ["admit", "record", "send", "end"])
        // The next answer is another one: it is checked as the first was.
        #expect(code(try mediator.fetch("forecast", [("n", true)])) == "E0607")
        #expect(resolver.asked.count == 2)
        #expect(transport.sent.count == 1)
        #expect(recorder.events.suffix(2) == ["admit", "refused E0607"])
    }

    @Test(
        "One bad address among good ones refuses the request, wherever it stands",
        arguments: [
            "127.0.0.1", "0.0.0.0", "10.0.0.1", "100.64.0.1", "169.254.169.254", "172.31.0.1", "192.168.0.1",
            "224.0.0.251", "255.255.255.255", "::", "::1", "::127.0.0.1", "::ffff:169.254.169.254",
            "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:7f00:1::", "2001::1", "fc00::1", "fe80::1", "fec0::1",
            "ff02::fb", "fd00:ec2::254",
        ])
    func mixed(bad: String) throws {
        for answer in [
            [bad], [bad, "93.184.215.14"], ["93.184.215.14", bad], ["2606:4700:4700::1111", "1.1.1.1", bad],
        ] {
            let resolver = ScriptedResolver(answer)
            var mediator = try mediator(resolver)
            let result = try mediator.fetch("forecast", [("n", true)])
            #expect(code(result) == "E0607")
            if case .failure(let refusal) = result { #expect(refusal.code == .unreachable) }
        }
        #expect(transport.sent.isEmpty)
        #expect(!recorder.events.contains("record"))
    }

    @Test("Where nothing is granted the name is not even looked up")
    func notGranted() throws {
        let resolver = ScriptedResolver(["1.1.1.1"])
        var mediator = try mediator(resolver)
        recorder.refusal = EgressRefusal(.notGranted, Diagnostic(.grantNoLongerStands, "taken back"))
        #expect(code(try mediator.fetch("forecast", [("n", true)])) == "E0605")
        #expect(code(try mediator.fetch("forecast", [("n", 1)])) == "E0603")
        #expect(code(try mediator.fetch("other", [])) == "E0602")
        #expect(resolver.asked.isEmpty)
        #expect(transport.sent.isEmpty)
    }

    @Test("What cannot be recorded is not sent")
    func unrecorded() throws {
        var mediator = try mediator(ScriptedResolver(["1.1.1.1"]))
        recorder.failure = Diagnostic(.ownFault, "the disk is full")
        #expect(throws: Diagnostic.self) { try mediator.fetch("forecast", [("n", true)]) }
        #expect(transport.sent.isEmpty)
        #expect(mediator.sentCount == 0)
    }

    @Test("A look-up counts as a call, since the network sees it")
    func lookUps() throws {
        let resolver = ScriptedResolver([])
        var mediator = try mediator(resolver)
        #expect(code(try mediator.fetch("forecast", [("n", true)])) == "E0606")
        #expect(code(try mediator.fetch("forecast", [("n", true)])) == "E0606")
        #expect(code(try mediator.fetch("forecast", [("n", true)])) == "E0604")
        #expect(resolver.asked.count == 2)
    }

    @Test("A plugin that asks on and on for what is refused is ended")
    func flood() throws {
        var mediator = try mediator(ScriptedResolver([]))
        for _ in 0..<99 { #expect(code(try mediator.fetch("other", [])) == "E0602") }
        let error = #expect(throws: Diagnostic.self) { try mediator.fetch("other", []) }
        #expect(error?.code == .pluginAsksOn)
        #expect(error?.exitStatus == .egressRefused)
        #expect(recorder.events.count == 100)
    }

    @Test("A stand-in is asked for nowhere, and is the only place that is called one")
    func standIn() throws {
        let resolver = ScriptedResolver(["1.1.1.1"])
        var mediator = try mediator(
            resolver, standIns: ["api.example.org": StandIn(port: 8443, isPlain: false)])
        #expect(code(try mediator.fetch("forecast", [("n", true)])) == nil)
        #expect(resolver.asked.isEmpty)
        #expect(transport.sent.first?.destination.isStandIn == true)
        #expect(transport.sent.first?.destination.authority == "127.0.0.1:8443")
        var other = try self.mediator(
            ScriptedResolver(["2606:4700:4700::1111"]),
            standIns: ["example.org": StandIn(port: 1, isPlain: true)])
        #expect(code(try other.fetch("forecast", [("n", true)])) == nil)
        #expect(transport.sent.last?.destination.isStandIn == false)
        #expect(transport.sent.last?.destination.isPlain == false)
        #expect(transport.sent.last?.destination.authority == "[2606:4700:4700::1111]:443")
    }
}
