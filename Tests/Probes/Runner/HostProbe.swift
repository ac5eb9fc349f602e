/// What the first comment of a probe says that goes through the whole host.
struct HostProbe: Sendable {
    /// By which way the run is asked for.
    enum Way: String, Sendable {
        /// `escrow run --format json`
        case json
        /// `escrow run`
        case table = "a table"
        /// `escrow host --stdio`, as an app does
        case app = "an app"
    }

    /// What the plugin takes rows as, and how its result travels.
    enum Form: String, Sendable {
        case ask
        case asset
        case arrow = "filter arrow"
        case ndjson = "filter ndjson"
        case csv = "filter csv"

        /// The filter's input; nil for a plugin that asks.
        var input: Substring? { rawValue.hasPrefix("filter ") ? rawValue.dropFirst(7) : nil }
    }

    /// `org.escrow.probes.half-line`
    let id: String
    private(set) var form: Form = .ask
    private(set) var way: Way = .json
    /// Members of the manifest that differ from the template: name, and JSON.
    private(set) var members: [(name: String, value: String)] = []
    /// Whether the rows are far more than a pipe holds.
    private(set) var hasManyRows = false
    /// How often it runs; it must end the same each time.
    private(set) var times = 1
    /// What its message must say besides its code.
    private(set) var words: [String] = []
    /// The code that the ledger tells, where the app is not told it.
    private(set) var told: String?
    /// The most memory that the host may take, in MiB. An honest run takes some 20.
    private(set) var memoryMiB = 64
    /// It runs again, and is given a field of its first result as a parameter.
    private(set) var again: (field: String, parameter: String)?

    /// The last label of the id.
    var name: Substring { id.split(separator: ".").last ?? "" }

    init(_ probe: Probe) throws(ProbeFailure) {
        id = "org.escrow.probes.\(probe.name)"
        for (key, value) in probe.header.more {
            switch key {
            case "form": form = try Self.word(value, of: probe)
            case "through": way = try Self.word(value, of: probe)
            case "manifest":
                guard value.first == "\"", let end = value.dropFirst().firstIndex(of: "\""),
                    value[end...].hasPrefix("\": ")
                else { throw ProbeFailure("\(probe.title): manifest: \"MEMBER\": VALUE") }
                let name = value[value.index(after: value.startIndex)..<end]
                members.append((String(name), String(value[end...].dropFirst(3))))
            case "rows":
                guard value == "many" else { throw ProbeFailure("\(probe.title): rows: many") }
                hasManyRows = true
            case "times":
                guard let count = Int(value), count > 1 else {
                    throw ProbeFailure("\(probe.title): times: N")
                }
                times = count
            case "says": words.append(value)
            case "ledger": told = value
            case "memory":
                guard let most = Int(value) else { throw ProbeFailure("\(probe.title): memory: MIB") }
                memoryMiB = most
            case "again":
                let names = value.split(separator: " ").map(String.init)
                guard names.count == 2 else { throw ProbeFailure("\(probe.title): again: FIELD PARAMETER") }
                again = (names[0], names[1])
            default: throw ProbeFailure("\(probe.title): there is no key `\(key)`")
            }
        }
    }

    private static func word<Word: RawRepresentable<String>>(_ text: String, of probe: Probe)
        throws(ProbeFailure)
        -> Word
    {
        guard let word = Word(rawValue: text) else {
            throw ProbeFailure("\(probe.title): not known: `\(text)`")
        }
        return word
    }

    // MARK: The manifest

    /// The plugin's manifest as its author would write it. All probes read the same two columns of the same cards.
    func manifest(language: String) -> String {
        var all: [(name: String, value: String)] = [
            ("schema", #""escrow.plugin/1""#), ("id", "\"\(id)\""), ("version", #""1.0.0""#),
            ("sequence", "5"),
            ("title", #""A probe""#),
            ("purpose", #"{"code":"development","text":"Break one rule, for the tests."}"#),
            ("publisher", #"{"name":"Probes"}"#), ("host", #"">=0.1.0 <1.0.0""#),
            ("protocol", speech), ("accepts", accepts),
            ("parameters", #"{"behave":{"type":"text","maxLength":20,"default":"behave-badly"}}"#),
            ("defaultAccess", "{\"sql\":\"\(query)\"}"),
            (
                "result",
                #"{"kind":"record","fields":{"n":{"type":"integer","min":0,"max":9,"learns":"a digit"}},"maxBytes":64}"#
            ),
            ("egress", "[]"),
            ("limits", #"{"wallSeconds":60,"cpuSeconds":4,"memoryMiB":64,"logKiB":64}"#),
            ("sandbox", language == "py" ? #"{"profile":"runtime"}"# : #"{"profile":"strict"}"#),
            ("artifacts", "[\(artifact(language))]"),
        ]
        for member in members {
            if let index = all.firstIndex(where: { $0.name == member.name }) {
                all[index] = member
            } else {
                all.append(member)
            }
        }
        return "{\n" + all.map { "  \"\($0.name)\": \($0.value)" }.joined(separator: ",\n") + "\n}\n"
    }

    /// Where the program lies in the package.
    func program(language: String) -> String { language == "py" ? "main.py" : "bin/probe" }

    private func artifact(_ language: String) -> String {
        #if arch(arm64)
        let platform = "linux-aarch64"
        #else
        let platform = "linux-x86_64"
        #endif
        return language == "py"
            ? #"{"platform":"any","path":"main.py","interpreter":"python3"}"#
            : "{\"platform\":\"\(platform)\",\"path\":\"bin/probe\",\"linkage\":\"static\"}"
    }

    private var speech: String {
        if let input = form.input {
            return "{\"major\":1,\"mode\":\"filter\",\"input\":\"\(input)\",\"features\":[\"rows\"]}"
        }
        return "{\"major\":1,\"mode\":\"ask\",\"features\":[\"rows\"\(form == .asset ? ",\"asset\"" : "")]}"
    }

    private var accepts: String {
        if form == .asset {
            return
                #"{"columns":[{"name":"asset","type":"asset","mediaTypes":["image/png"]}],"reads":{"Photos":["asset"]}}"#
        }
        let columns = ["givenName", "phoneNumber"] + (form.input == nil ? [] : ["behave"])
        return "{\"columns\":["
            + columns.map { "{\"name\":\"\($0)\",\"type\":\"text\"}" }.joined(separator: ",")
            + "],\"reads\":{\"Contacts\":[\"givenName\",\"phoneNumber\"]}}"
    }

    private var query: String {
        if form == .asset { return "SELECT asset FROM Photos" }
        let others = hasManyRows ? ", Contacts b, Contacts c, Contacts d, Contacts e" : ""
        return "SELECT a.givenName AS givenName, a.phoneNumber AS phoneNumber"
            + (form.input == nil ? "" : ", :behave AS behave") + " FROM Contacts a\(others)"
    }
}
