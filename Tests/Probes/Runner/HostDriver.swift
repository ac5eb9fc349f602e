import Glibc

/// Runs a probe through the whole host: a signed plugin that is installed and allowed in a home of its own, over cards
/// and photos with canaries in them, run by `escrow` itself.
///
/// A plugin of the family `protocol` behaves well in its control run; one of the family `package` has been left as it was
/// signed.
final class HostDriver: ProbeDriver {
    let families: Set<String> = ["package", "protocol"]

    private let workplace: Workplace
    /// Tests/Probes
    private let sources: String
    private let template = Once<HostHome>()
    private let installed = Once<HostHome>()
    private let honest = Once<End>()

    init(workplace: Workplace, sources: String) {
        self.workplace = workplace
        self.sources = sources
    }

    // MARK: Building

    func build(_ probe: Probe) throws(ProbeFailure) -> String? {
        let template = try home()
        for tool in ["/usr/bin/gcc", "/usr/bin/strip", "/usr/bin/openssl", "/usr/bin/python3"]
        where access(tool, X_OK) != 0 {
            return "\(tool) is missing"
        }
        if probe.family == "package" {
            let home = try copy(try homeWithGood(), as: Self.folder(of: probe))
            return try HostForgery(probe, home).prepare(sources: sources)
        }
        let home = try copy(template, as: Self.folder(of: probe))
        let described = try HostProbe(probe)
        try pack(probe, described, into: "\(home.folder)/probe.escrow", with: home)
        try home.install("\(home.folder)/probe.escrow", String(described.name))
        return nil
    }

    /// Compiles and signs a probe's plugin.
    private func pack(
        _ probe: Probe, _ described: HostProbe, into package: String, with home: HostHome
    ) throws(ProbeFailure) {
        let folder = "\(home.folder)/plugin"
        try make("\(folder)/bin")
        try Files.write(Array(described.manifest(language: probe.language).utf8), to: "\(folder)/plugin.json")
        let program = "\(folder)/\(described.program(language: probe.language))"
        if probe.language == "py" {
            let parts = ["\(sources)/plugin.py", probe.path]
            var text: [UInt8] = []
            for part in parts { text += try Files.bytes(part) + [0x0A] }
            try Files.write(text + Array("\nmain(misdeed)\n".utf8), to: program)
        } else {
            let form = described.form.input == nil ? [] : ["-DFILTER"]
            try compile("\(sources)/plugin.c", ["-DPROBE=\"\(probe.path)\""] + form, to: program)
        }
        try home.must(
            "plugin", "pack", folder, "--no-build", "--key", "probes", "--home", home.path, "--output",
            package)
    }

    private func compile(
        _ source: String, _ options: [String] = [], to program: String
    ) throws(ProbeFailure) {
        let tests = sources.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
            separator: "/")
        let flags = [
            "-static", "-O1", "-s", "-Wall", "-Werror", "-Wno-return-type", "-Wno-format-truncation",
            "-Wa,-I,\(tests)",
        ]
        let result = try Command(
            arguments: ["/usr/bin/gcc"] + flags + options + ["-o", program, source]
        ).run()
        guard result.status == .exited(0) else {
            throw ProbeFailure(
                "\(source) does not compile: \(String(decoding: result.errors, as: UTF8.self))")
        }
    }

    // MARK: Homes

    /// The home that all others are copies of: a key, trust in it, cards and photos; and the package of a plugin that
    /// does nothing wrong. Made once.
    private func home() throws(ProbeFailure) -> HostHome {
        try template.get { () throws(ProbeFailure) in try makeHome() }
    }

    /// The same with the good package installed and allowed: the home that a forger finds. Made once.
    private func homeWithGood() throws(ProbeFailure) -> HostHome {
        try installed.get { () throws(ProbeFailure) in
            let home = try copy(try self.home(), as: "good-installed")
            try home.install("\(workplace.path)/good.escrow", "good")
            return home
        }
    }

    private func makeHome() throws(ProbeFailure) -> HostHome {
        let place = workplace.path
        try compile("\(sources)/witness.c", to: "\(place)/witness")
        // Whoever the runs are to be may not be able to enter the folder that it was built in.
        try must(["/bin/cp", try Self.program(beside: sources), "\(place)/escrow"])
        let home = HostHome(
            folder: "\(place)/template", program: "\(place)/escrow", witness: "\(place)/witness")
        try make("\(home.folder)/tmp")
        try make("\(place)/photos")
        try Files.write(Array(Self.cards.utf8), to: "\(place)/cards.vcf")
        for name in ["one", "two"] { try Files.write(Self.photo(name), to: "\(place)/photos/\(name).png") }
        try home.must("init")
        try home.must("source", "add", "contacts", "\(place)/cards.vcf")
        try home.must("source", "add", "photos", "\(place)/photos")
        try home.must("key", "new", "probes")
        let keys = String(
            decoding: try home.escrow(["key", "list", "--format", "json"]).output, as: UTF8.self)
        guard let key = Self.field("publicKey", in: keys) else { throw ProbeFailure("the key is not listed") }
        try home.must("trust", "add", "org.escrow.probes.*", key)
        // Runs over eight rows or more, so that an update which computes over fewer can be tried.
        let columns = #"[{"name":"givenName","type":"text"},{"name":"phoneNumber","type":"text"}]"#
        let reads = #"{"Contacts":["givenName","phoneNumber"]}"#
        let header = """
            // Does nothing wrong.
            // host: prints {"n":1}
            // manifest: "accepts": {"columns":\(columns),"reads":\(reads),"rows":{"min":8}}

            """
        let text = try Array((header + "\n").utf8) + Files.bytes("\(sources)/good.c")
        try Files.write(text, to: "\(place)/good.c")
        let good = try Probe(family: "protocol", file: "good.c", in: place)
        try pack(good, try HostProbe(good), into: "\(place)/good.escrow", with: home)
        return home
    }

    private func copy(_ home: HostHome, as name: String) throws(ProbeFailure) -> HostHome {
        let folder = "\(workplace.path)/\(name)"
        try make("\(folder)/tmp")
        try must(["/bin/cp", "-a", home.path, "\(folder)/home"])
        return HostHome(folder: folder, program: home.program, witness: home.witness)
    }

    private static func folder(of probe: Probe) -> String { "\(probe.family)-\(probe.name)" }

    private func existing(_ probe: Probe) throws(ProbeFailure) -> HostHome {
        let template = try home()
        return HostHome(
            folder: "\(workplace.path)/\(Self.folder(of: probe))", program: template.program,
            witness: template.witness)
    }

    private func make(_ folder: String) throws(ProbeFailure) { try must(["/bin/mkdir", "-p", folder]) }

    private func must(_ command: [String]) throws(ProbeFailure) {
        let result = try Command(arguments: command).run()
        guard result.status == .exited(0) else {
            throw ProbeFailure("\(command): \(String(decoding: result.errors, as: UTF8.self))")
        }
    }

    /// The value of a text in JSON.
    static func field(_ name: String, in json: String) -> String? {
        let parts = json.split(separator: "\"", omittingEmptySubsequences: false)
        guard let index = parts.firstIndex(of: name[...]), parts.indices.contains(index + 2) else {
            return nil
        }
        return String(parts[index + 2])
    }

    /// The `escrow` to try: what `ESCROW` names, else what was built beside this program, else what `make build` made.
    private static func program(beside sources: String) throws(ProbeFailure) -> String {
        let root = sources.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(
            separator: "/")
        let link = realpath("/proc/self/exe", nil)
        defer { free(link) }
        let own =
            link.map { String(cString: $0) }?.split(separator: "/", omittingEmptySubsequences: false) ?? []
        var places = [(own.dropLast() + ["escrow"]).joined(separator: "/"), "\(root)/.build/release/escrow"]
        if let named = getenv("ESCROW") { places.insert(String(cString: named), at: 0) }
        guard let found = places.first(where: { access($0, X_OK) == 0 }) else {
            throw ProbeFailure("there is no escrow to try: make build")
        }
        return found
    }

    // MARK: Running

    func control(_ probe: Probe) throws(ProbeFailure) -> End {
        let home = try existing(probe)
        guard probe.family == "package" else {
            let described = try HostProbe(probe)
            return try end(
                of: try home.run(String(described.name), described.way, [("behave", "behave-well")]), home)
        }
        // Where nothing was built into it, the home is a copy of one that all others are copies of: one run tells for all.
        if try HostForgery(probe, home).builds { return try end(of: try home.run("good", .json, []), home) }
        return try honest.get { () throws(ProbeFailure) in
            let home = try homeWithGood()
            return try end(of: try home.run("good", .json, []), home)
        }
    }

    /// How an honest run ended. Whatever else a run must not do, an honest one must not either.
    private func end(of outcome: HostHome.Outcome, _ home: HostHome) throws(ProbeFailure) -> End {
        let faults = try HostTraces(home: home).faults(after: outcome, mayReturn: true)
        return End(
            text: ([outcome.end] + faults).joined(separator: "; ")
                + (outcome.code == nil ? "" : outcome.words))
    }

    func prepareInside() throws(ProbeFailure) {}

    func inside(_ probe: Probe) throws(ProbeFailure) -> End {
        // A copy: another user may come after this one and want to find all as it was.
        let pristine = try existing(probe)
        let home = HostHome(
            folder: "\(pristine.folder).run", program: pristine.program, witness: pristine.witness)
        try must(["/bin/cp", "-a", pristine.folder, home.folder])
        defer { _ = try? Command(arguments: ["/bin/rm", "-rf", home.folder]).run() }
        return probe.family == "package" ? try HostForgery(probe, home).end() : try misdeed(probe, home)
    }

    private func misdeed(_ probe: Probe, _ home: HostHome) throws(ProbeFailure) -> End {
        let described = try HostProbe(probe)
        let traces = HostTraces(home: home, memoryMiB: described.memoryMiB)
        var ends: [String] = []
        var faults: [String] = []
        var parameters: [(name: String, value: String)] = []
        for time in 0..<(described.again == nil ? described.times : 2) {
            let outcome = try home.run(String(described.name), described.way, parameters)
            if time == 0, let again = described.again {
                let given = Self.field(again.field, in: String(decoding: outcome.output, as: UTF8.self))
                parameters = [(again.parameter, given ?? "")]
                continue
            }
            if !ends.contains(outcome.end) { ends.append(outcome.end) }
            faults += try traces.faults(after: outcome, mayReturn: outcome.status == .exited(0))
            for words in described.words where !outcome.words.contains(words) {
                faults.append("not said: \(words)")
            }
        }
        let last = ends.last ?? ""
        let code = described.told ?? (last.hasPrefix("code ") ? String(last.dropFirst(5).prefix(5)) : nil)
        if try !traces.isTold(code.map { "\"code\":\"\($0)\"" } ?? "\"resultDigest\":") {
            faults.append("the ledger does not tell the end")
        }
        faults += try traces.faultsAtEnd()
        return End(text: (ends + Set(faults).sorted()).joined(separator: "; "))
    }

    // MARK: Data

    /// A card with the canaries, and seven others.
    private static let cards: String = {
        let people =
            [("Canaria Quill", "+1 202 555 0191")] + (1...7).map { ("Filler \($0)", "+1 202 555 010\($0)") }
        return people.enumerated().map { index, person in
            "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:card-\(index)\r\nN:;\(person.0);;;\r\nFN:\(person.0)\r\n"
                + "TEL:\(person.1)\r\nEND:VCARD\r\n"
        }.joined()
    }()

    /// A PNG of one pixel with a canary behind its end.
    private static func photo(_ name: String) -> [UInt8] {
        [
            0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1,
            0, 0, 0, 1, 8,
            0, 0, 0, 0, 0x3A, 0x7E, 0x9B, 0x55, 0, 0, 0, 10, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0x60,
            0, 0, 0, 2, 0,
            1, 0x48, 0xAF, 0xA4, 0x71, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
        ] + Array("canary-of-pixels \(name)".utf8)
    }
}
