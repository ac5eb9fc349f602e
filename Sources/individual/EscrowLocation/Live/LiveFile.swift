public import EscrowJSON
public import EscrowLocationPrivacy

/// One who is told live where the individual is.
public struct LiveFollow: Sendable, Equatable {
    /// Its number in the store.
    public internal(set) var id = 0
    public let app: String
    /// The plugin that runs for each update; nil where places are only kept.
    public let plugin: String?
    /// `gpsd` or `geoclue`.
    public let provider: String
    public let mode: UpdateFilter.Mode
    /// How exactly places are wanted.
    public let desired: Exactness
    /// When it began, in seconds since 1970.
    public let began: Int64
    /// When it was last told anything, or ended.
    public internal(set) var last: Int64
    public internal(set) var updates = 0
    /// Whether it goes on.
    public internal(set) var isRunning = false

    /// Describes one that begins.
    public init(
        app: String, plugin: String?, provider: String, mode: UpdateFilter.Mode, desired: Exactness,
        began: Int64
    ) {
        (self.app, self.plugin, self.provider, self.mode, self.desired) = (
            app, plugin, provider, mode, desired
        )
        (self.began, last) = (began, began)
    }

    /// For the file and `--format json`.
    public var json: JSONValue {
        [
            "id": .integer(Int64(id)), "app": .string(app), "plugin": plugin.map(JSONValue.string) ?? .null,
            "provider": .string(provider), "mode": .string(mode.rawValue),
            "accuracy": .string(desired.rawValue),
            "began": .integer(began), "last": .integer(last), "updates": .integer(Int64(updates)),
        ]
    }

    init(_ node: JSONNode) throws(JSONError) {
        var object = try JSONObjectReader(node)
        let plugin = try object.required("plugin")
        self.init(
            app: try object.required("app").requireString(),
            plugin: plugin.value == .null ? nil : try plugin.requireString(),
            provider: try object.required("provider").requireString(),
            mode: try object.required("mode").requireWord(),
            desired: try object.required("accuracy").requireWord(),
            began: try object.required("began").requireInteger())
        let number = try object.required("id")
        id = Int(clamping: try number.requireInteger())
        guard (1...LiveFile.mostFollows).contains(id) else {
            throw JSONError(.wrongType(expected: "a small number"), at: number.position)
        }
        last = try object.required("last").requireInteger()
        updates = Int(clamping: try object.required("updates").requireInteger())
        try object.finish()
    }
}

/// `live.json` of a home: strict, versioned, replaced in one step.
struct LiveFile {
    var apps: [(app: String, permission: LiveStore.Permission)] = []
    var follows: [LiveFollow] = []

    static let maximumBytes = 1 << 20
    static let (mostApps, mostFollows) = (1_000, 500)

    init() {}

    var bytes: [UInt8] {
        JSONWriter.document([
            "escrow-live": 1,
            "apps": .array(apps.map { ["app": .string($0.app), "when": .string($0.permission.rawValue)] }),
            "follows": .array(follows.map(\.json)),
        ])
    }

    init(_ bytes: [UInt8]) throws(JSONError) {
        var file = try JSONObjectReader(
            try JSONParser.parse(bytes, limits: .init(depth: 6, bytes: Self.maximumBytes, values: 50_000)))
        let version = try file.required("escrow-live")
        guard try version.requireInteger() == 1 else {
            throw JSONError(.wrongType(expected: "version 1 of this file"), at: version.position)
        }
        for item in try file.required("apps").requireArray() {
            var object = try JSONObjectReader(item)
            apps.append(
                (try object.required("app").requireString(), try object.required("when").requireWord()))
            try object.finish()
        }
        let list = try file.required("follows")
        for item in try list.requireArray() { follows.append(try LiveFollow(item)) }
        guard Set(apps.map(\.app)).count == apps.count, Set(follows.map(\.id)).count == follows.count,
            apps.count <= Self.mostApps, follows.count <= Self.mostFollows
        else { throw JSONError(.wrongType(expected: "each app and number once"), at: list.position) }
        try file.finish()
    }
}
