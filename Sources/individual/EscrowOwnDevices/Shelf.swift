import EscrowConsent
import EscrowDiagnostics
import EscrowFiles
import EscrowHome
import EscrowIdentity
import EscrowJSON

/// One kind of thing that this home has and shares.
protocol Shelf {
    var kind: SharedObject.Kind { get }
    /// Whether a thing never changes once it is there: only its coming and going is looked at.
    var isFixed: Bool { get }
    /// What is here, by its id.
    func values() throws(Diagnostic) -> [String: JSONValue]
    /// Takes what came from another device, each thing by itself: one that is not as it must be keeps no other away.
    func put(_ values: [String: JSONValue]) -> Taken
    func remove(_ ids: Set<String>) throws(Diagnostic)
}

/// Decisions that hold until they are taken back, or until a day. One for a number of runs, or for one run of an app, stays on its
/// device: on two it would be for twice as many.
struct DecisionShelf: Shelf {
    let store: GrantStore
    var kind: SharedObject.Kind { .decision }
    var isFixed: Bool { true }
    private static let scopes: Set<String> = ["always", "never", "today", "until"]

    func values() throws(Diagnostic) -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        // Those that are over are still here: their going is no word of the individual's.
        for grant in try store.list() { values[grant.id] = .null }
        guard
            let file = try? JSONParser.parse(
                try store.export(), limits: .init(bytes: 16 << 20, values: 2_000_000))
        else { return values }
        for item in file.value["grants"]?.array ?? [] {
            guard let id = item["id"]?.string else { continue }
            let isShared = item["scope"]?.string.map(Self.scopes.contains) ?? false
            values[id] = isShared ? Self.withoutUses(item) : .null
        }
        return values
    }

    /// How often a device used it is that device's.
    private static func withoutUses(_ grant: JSONValue) -> JSONValue {
        .object(
            (grant.members ?? []).filter { $0.name != "lastUsedAt" }.map {
                $0.name == "useCount" ? ($0.name, .integer(0)) : $0
            })
    }

    func put(_ values: [String: JSONValue]) -> Taken {
        var taken = Taken()
        for (id, value) in values.sorted(by: { $0.key < $1.key }) {
            let file: JSONValue = ["escrow-grants": 2, "grants": .array([value])]
            // One that is over, or that this version does not understand, is left where it is; the others do not wait for it.
            let grants: [Grant]
            do throws(Diagnostic) {
                grants = try store.read(exported: JSONWriter.document(file), name: "a decision")
            } catch {
                taken.refused[id] = error.message
                continue
            }
            guard let grant = grants.first else { continue }
            guard grant.id == id else {
                taken.refused[id] = "its id is another"
                continue
            }
            do throws(Diagnostic) {
                _ = try store.add(grants)
                taken.ids.insert(id)
            } catch {
                taken.failure = taken.failure ?? error
            }
        }
        return taken
    }

    func remove(_ ids: Set<String>) throws(Diagnostic) {
        for id in ids.sorted() { _ = try store.revoke(id) }
    }
}

/// The rules of `preferences.json`, and the settings beside them, whose ids begin with a slash.
struct RuleShelf: Shelf {
    let path: String
    var kind: SharedObject.Kind { .rule }
    var isFixed: Bool { false }
    private static let own: Set<String> = ["$schema", "escrow-preferences", "rules"]

    private var file: StoreFile {
        StoreFile(path, limit: Preferences.maximumBytes, help: "remove rules: escrow preferences edit")
    }

    private func members() throws(Diagnostic) -> [(name: String, value: JSONValue)] {
        guard let bytes = try file.read() else { return [("escrow-preferences", 1)] }
        // What cannot be read may be a forbid: nothing of it is shared, and nothing taken.
        _ = try Preferences.parse(bytes, file: path)
        return
            (try? JSONParser.parse(
                bytes, limits: .init(depth: 8, bytes: Preferences.maximumBytes, values: 200_000)))?
            .value.members ?? []
    }

    func values() throws(Diagnostic) -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        for (name, value) in try members() {
            if name == "rules" {
                for rule in value.array ?? [] { values[rule["id"]?.string ?? ""] = rule }
            } else if !Self.own.contains(name) {
                values["/" + name] = value
            }
        }
        return values
    }

    func put(_ values: [String: JSONValue]) -> Taken {
        var taken = Taken()
        var sound: [String: JSONValue] = [:]
        for (id, value) in values {
            do throws(Diagnostic) {
                try check(id, value)
                sound[id] = value
            } catch {
                taken.refused[id] = error.message
            }
        }
        put(sound.sorted { $0.key < $1.key }[...], &taken)
        return taken
    }

    /// Writes all; where together they are too much, the first half and then the rest, so that as many come as there is room for.
    private func put(_ sound: ArraySlice<(key: String, value: JSONValue)>, _ taken: inout Taken) {
        guard !sound.isEmpty else { return }
        do throws(Diagnostic) {
            try write(Dictionary(uniqueKeysWithValues: sound.map { ($0.key, $0.value) }), [])
            taken.ids.formUnion(sound.map(\.key))
        } catch {
            guard sound.count > 1 else {
                taken.failure = taken.failure ?? error
                return
            }
            let middle = sound.startIndex + sound.count / 2
            put(sound[..<middle], &taken)
            put(sound[middle...], &taken)
        }
    }

    /// Whether it is a rule of that id, or a setting, that can stand in the file.
    private func check(_ id: String, _ value: JSONValue) throws(Diagnostic) {
        let name = String(id.dropFirst())
        let isFit = id.hasPrefix("/") ? !Self.own.contains(name) : value["id"]?.string == id
        guard isFit else { throw Diagnostic(.objectUnfit, "its id is another, or none") }
        let member = id.hasPrefix("/") ? (name, value) : ("rules", [value])
        let file: JSONValue = .object([("escrow-preferences", 1), member])
        _ = try Preferences.parse(JSONWriter.document(file), file: "a rule of another device")
    }

    func remove(_ ids: Set<String>) throws(Diagnostic) { try write([:], ids) }

    private func write(_ new: [String: JSONValue], _ gone: Set<String>) throws(Diagnostic) {
        let before = try members()
        var rules = (before.first { $0.name == "rules" }?.value.array ?? []).filter {
            let id = $0["id"]?.string ?? ""
            return new[id] == nil && !gone.contains(id)
        }
        rules += new.sorted { $0.key < $1.key }.filter { !$0.key.hasPrefix("/") }.map(\.value)
        var after = before.filter {
            $0.name != "rules" && new["/" + $0.name] == nil && !gone.contains("/" + $0.name)
        }
        after += new.sorted { $0.key < $1.key }.filter { $0.key.hasPrefix("/") }.map {
            (name: String($0.key.dropFirst()), value: $0.value)
        }
        after.append(("rules", .array(rules)))
        try file.replace(with: JSONWriter.document(.object(after))) { (bytes) throws(Diagnostic) in
            _ = try Preferences.parse(bytes, file: path)
        }
    }
}

/// Restrictions that somebody else set, as they signed them. One is never removed: taking it back is a version of it.
struct RestrictionShelf: Shelf {
    let store: RestrictionStore
    var kind: SharedObject.Kind { .restriction }
    var isFixed: Bool { false }

    func values() throws(Diagnostic) -> [String: JSONValue] {
        try store.signed().mapValues { ["signed": .string(Base64.encode($0))] }
    }

    func put(_ values: [String: JSONValue]) -> Taken {
        var taken = Taken(ids: Set(values.keys))
        for (id, value) in values {
            guard let text = value["signed"]?.string, let bytes = Base64.decode(text) else {
                taken.refused[id] = "it is not signed"
                continue
            }
            // An older version, or one by another key, is refused here as it is by command.
            _ = try? store.add(bytes, file: "restriction \(id) of another device")
        }
        return taken
    }

    func remove(_ ids: Set<String>) {}
}

/// What apps are known by. Those of publishers and of advertising belong to a device, and stay there.
struct IdentifierShelf: Shelf {
    let store: IdentifierStore
    var kind: SharedObject.Kind { .identifier }
    var isFixed: Bool { false }

    func values() throws(Diagnostic) -> [String: JSONValue] {
        try store.applications().mapValues {
            ["id": .string($0.value), "secret": .string(Hex.string($0.secret))]
        }
    }

    func put(_ values: [String: JSONValue]) -> Taken {
        var taken = Taken()
        for (app, value) in values.sorted(by: { $0.key < $1.key }) {
            do throws(Diagnostic) {
                guard let id = value["id"]?.string,
                    let secret = (value["secret"]?.string).flatMap({ Hex.read($0.utf8) }),
                    try store.adopt(app, value: id, secret: secret)
                else {
                    taken.refused[app] = "it is no identifier"
                    continue
                }
                taken.ids.insert(app)
            } catch {
                taken.failure = taken.failure ?? error
            }
        }
        return taken
    }

    func remove(_ ids: Set<String>) throws(Diagnostic) {
        for app in ids { _ = try? store.reset(.application, owner: app) }
    }
}
