public import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
public import EscrowLocationPrivacy

/// What was told to each app by each mask, as far as the next answer depends on it: `location.memory.json` of a home. It is written
/// before anything is sent by it.
public struct LocationMemory: Sendable {
    private let file: StoreFile
    private let lockPath: String

    /// Names the home's folder.
    public init(directory: String) {
        file = StoreFile(
            "\(directory)/location.memory.json", limit: LocationMemoryFile.maximumBytes,
            help: "forget it, and draw other noise: escrow location reset")
        lockPath = "\(directory)/location.memory.lock"
    }

    /// Has a memory used and changed by one at a time, and keeps it.
    public func using<Result>(
        app: String, mask: String, _ body: (inout TellingMemory) throws(Diagnostic) -> Result
    ) throws(Diagnostic) -> Result {
        try using(app: app, mask: mask, on: 0) { (memory, _) throws(Diagnostic) in try body(&memory) }
    }

    /// Likewise; `body` is told, too, what the app's other masks spent of the day: an app has one account.
    public func using<Result>(
        app: String, mask: String, on day: Int,
        _ body: (inout TellingMemory, _ elsewhere: Double) throws(Diagnostic) -> Result
    ) throws(Diagnostic) -> Result {
        let lock = try FileLock.acquire(lockPath)
        defer { withExtendedLifetime(lock) {} }
        var known = try read()
        let index = known.entries.firstIndex { $0.app == app && $0.mask == mask }
        let before = index.map { known.entries[$0].memory } ?? TellingMemory()
        var memory = before
        let elsewhere = known.entries.filter { $0.app == app && $0.mask != mask }
            .reduce(0) { $0 + ($1.memory.trace?.spent(on: day) ?? 0) }
        let result = try body(&memory, elsewhere)
        guard memory != before else { return result }
        if let index { known.entries.remove(at: index) }
        // The one that was used last stands last; the first is forgotten, but what is spent as late as that can be.
        known.entries.append((app, mask, memory))
        while known.entries.count > LocationMemoryFile.mostEntries {
            let free = known.entries.dropLast().firstIndex { $0.memory.trace?.spent ?? 0 == 0 }
            known.entries.remove(at: free ?? 0)
        }
        try file.replace(with: known.bytes) { (bytes) throws(Diagnostic) in _ = try parse(bytes) }
        return result
    }

    /// What is spent of a day by each app and mask that spends anything.
    public func spent(on day: Int) throws(Diagnostic) -> [(app: String, mask: String, spent: Double)] {
        try read().entries.compactMap { entry in
            entry.memory.trace.map { (entry.app, entry.mask, $0.spent(on: day)) }
        }
    }

    /// Forgets all but what is spent: other noise is drawn, which is no more of a day.
    public func forget() throws(Diagnostic) {
        let lock = try FileLock.acquire(lockPath)
        defer { withExtendedLifetime(lock) {} }
        var known = try read()
        guard !known.entries.isEmpty else { return }
        known.entries = known.entries.compactMap { app, mask, memory in
            guard let trace = memory.trace else { return nil }
            var spent = PredictiveTrace.State()
            (spent.day, spent.spent) = (trace.day, trace.spent)
            return (app, mask, TellingMemory(cells: nil, trace: spent, anchors: []))
        }
        try file.replace(with: known.bytes) { (bytes) throws(Diagnostic) in _ = try parse(bytes) }
    }

    private func read() throws(Diagnostic) -> LocationMemoryFile {
        guard let bytes = try file.read() else { return LocationMemoryFile() }
        return try parse(bytes)
    }

    private func parse(_ bytes: [UInt8]) throws(Diagnostic) -> LocationMemoryFile {
        do { return try LocationMemoryFile(bytes) } catch {
            throw Diagnostic(
                .placeMemoryUnreadable, "what was told of places cannot be read: \(error.impersonalMessage)",
                at: .init(file: file.path, line: error.position.line, column: error.position.column),
                notes: ["nothing is told of any place: today's budget may be spent"],
                help: "restore the file from a backup, or remove it: the day's budget then begins anew")
        }
    }
}

/// `location.memory.json` of a home: strict, versioned, replaced in one step.
struct LocationMemoryFile {
    var entries: [(app: String, mask: String, memory: TellingMemory)] = []

    static let maximumBytes = 4 << 20
    static let mostEntries = 2_000

    init() {}

    var bytes: [UInt8] {
        JSONWriter.document([
            "escrow-location-memory": 1,
            "told": .array(
                entries.map {
                    .object([("app", .string($0.app)), ("mask", .string($0.mask))] + $0.memory.members)
                }),
        ])
    }

    init(_ bytes: [UInt8]) throws(JSONError) {
        var file = try JSONObjectReader(
            try JSONParser.parse(bytes, limits: .init(depth: 6, bytes: Self.maximumBytes, values: 200_000)))
        let version = try file.required("escrow-location-memory")
        guard try version.requireInteger() == 1 else {
            throw JSONError(.wrongType(expected: "version 1 of this file"), at: version.position)
        }
        let list = try file.required("told")
        for item in try list.requireArray() {
            var object = try JSONObjectReader(item)
            let (app, mask) = (
                try object.required("app").requireString(), try object.required("mask").requireString()
            )
            entries.append((app, mask, try TellingMemory(&object)))
            try object.finish()
        }
        guard entries.count <= Self.mostEntries else {
            throw JSONError(.wrongType(expected: "fewer apps"), at: list.position)
        }
        try file.finish()
    }
}

extension TellingMemory {
    fileprivate var members: [(name: String, value: JSONValue)] {
        var members: [(name: String, value: JSONValue)] = []
        if let cells {
            members.append(("cells", .array([Self.json(cells.density), Self.json(cells.place)])))
        }
        if let trace {
            members += [("day", .integer(Int64(trace.day))), ("spent", .real(trace.spent))]
            if let last = trace.last {
                members.append(
                    (
                        "last",
                        [
                            .real(last.coordinates.latitude), .real(last.coordinates.longitude),
                            .integer(Int64(last.decimals.latitude)), .integer(Int64(last.decimals.longitude)),
                        ]
                    ))
            }
            if let cell = trace.cell { members.append(("cell", Self.json(cell))) }
            if let failed = trace.failed { members.append(("failed", Self.json(failed))) }
        }
        if !anchors.isEmpty {
            members.append(
                ("anchors", .array(anchors.map { .array([.real($0.latitude), .real($0.longitude)]) })))
        }
        return members
    }

    private static func json(_ cell: Cell) -> JSONValue {
        .array([.integer(Int64(cell.row)), .integer(Int64(cell.column))])
    }

    fileprivate init(_ object: inout JSONObjectReader) throws(JSONError) {
        var cells: Anonymisation.Cells?
        if let node = object.optional("cells") {
            let pair = try Self.list(node, 2)
            cells = Anonymisation.Cells(density: try Self.cell(pair[0]), place: try Self.cell(pair[1]))
        }
        var trace: PredictiveTrace.State?
        if let day = object.optional("day") {
            var state = PredictiveTrace.State()
            state.day = Int(clamping: try day.requireInteger())
            state.spent = try object.required("spent").requireReal()
            guard state.spent >= 0 else {
                throw JSONError(.wrongType(expected: "a budget"), at: day.position)
            }
            if let node = object.optional("last") {
                let parts = try Self.list(node, 4)
                guard
                    let point = Coordinates(
                        latitude: try parts[0].requireReal(), longitude: try parts[1].requireReal())
                else { throw JSONError(.wrongType(expected: "a place"), at: node.position) }
                state.last = Mask.Masked(
                    told: point,
                    decimals: Decimals(
                        latitude: Int(clamping: try parts[2].requireInteger()),
                        longitude: Int(clamping: try parts[3].requireInteger())))
            }
            state.cell = try object.optional("cell").map { (node) throws(JSONError) in try Self.cell(node) }
            state.failed = try object.optional("failed").map { (node) throws(JSONError) in try Self.cell(node)
            }
            trace = state
        }
        var anchors: [Coordinates] = []
        if let node = object.optional("anchors") {
            for item in try node.requireArray() {
                let pair = try Self.list(item, 2)
                guard
                    let point = Coordinates(
                        latitude: try pair[0].requireReal(), longitude: try pair[1].requireReal())
                else { throw JSONError(.wrongType(expected: "a place"), at: item.position) }
                anchors.append(point)
            }
            guard (1...Self.mostAnchors).contains(anchors.count) else {
                throw JSONError(.wrongType(expected: "a few places"), at: node.position)
            }
        }
        self.init(cells: cells, trace: trace, anchors: anchors)
    }

    private static func list(_ node: JSONNode, _ count: Int) throws(JSONError) -> [JSONNode] {
        let items = try node.requireArray()
        guard items.count == count else {
            throw JSONError(.wrongType(expected: "\(count) parts"), at: node.position)
        }
        return items
    }

    private static func cell(_ node: JSONNode) throws(JSONError) -> Cell {
        let pair = try list(node, 2)
        return Cell(
            row: Int(clamping: try pair[0].requireInteger()),
            column: Int(clamping: try pair[1].requireInteger()))
    }
}
