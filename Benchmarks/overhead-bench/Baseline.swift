import CThumbnail
import DayReach
import EscrowDiagnostics
import EscrowSchema
import EscrowTabular
import Glibc
import PhoneNumbers

/// What a program does without an escrow: it reads the source itself and computes in its own memory. No SQL, no other
/// process, nothing asked, nothing recorded. The code that computes is the plugin's own.
struct Baseline {
    private let tables: [any TableSource]

    init(_ tables: [any TableSource]) { self.tables = tables }

    /// One round: what it took, and the result as JSON.
    struct Round {
        var accessMs = 0.0
        var computeMs = 0.0
        var result = ""
    }

    func round(_ kind: String) throws(Diagnostic) -> Round {
        switch kind {
        case "contacts": try contacts()
        case "photos": try photos()
        default: try location()
        }
    }

    /// The plugin phone-check.
    private func contacts() throws(Diagnostic) -> Round {
        var round = Round()
        var tally = PhoneTally()
        try scan("ContactPhoneNumbers", ["contactID", "phoneNumber"], &round) { columns, row in
            let contact = String(decoding: columns[0].bytes(row), as: UTF8.self)
            if columns[1].hasValue(row) {
                tally.add(contact: contact, number: columns[1].bytes(row))
            } else {
                tally.add(contact: contact)
            }
        }
        var clock = Clock()
        let valid = tally.ids(valid: true)
        let invalid = tally.ids(valid: false)
        round.computeMs += clock.lap()
        func list(_ ids: [String]) -> String { "[" + ids.map { "\"\($0)\"" }.joined(separator: ",") + "]" }
        round.result = """
            {"contacts":\(tally.contactCount),"numbers":\(tally.numbers),"valid":\(tally.valid),\
            "invalid":\(tally.numbers - tally.valid),"validContacts":\(list(valid)),\
            "invalidContacts":\(list(invalid))}
            """
        return round
    }

    /// The plugin day-reach.
    private func location() throws(Diagnostic) -> Round {
        var round = Round()
        var reach = DayReach()
        try scan("Location", ["latitude", "longitude", "timestamp"], &round) { columns, row in
            guard columns[2].hasValue(row), let moment = Timestamp(iso8601: columns[2].bytes(row)) else {
                return
            }
            let (days, rest) = moment.microseconds.quotientAndRemainder(dividingBy: 86_400_000_000)
            reach.add(
                day: Int(rest < 0 ? days - 1 : days), latitude: columns[0].real(row),
                longitude: columns[1].real(row))
        }
        var clock = Clock()
        let days = reach.days
        round.computeMs += clock.lap()
        let rows = days.map { day, points, kilometres in
            let name = Timestamp(microseconds: Int64(day) * 86_400_000_000)?.iso8601.prefix(10) ?? ""
            return "[\"\(name)\",\(points),\(kilometres)]"
        }
        round.result = "[" + rows.joined(separator: ",") + "]"
        return round
    }

    /// The plugin thumbnails with its usual parameters: the twelve newest pictures, 96 pixels long.
    private func photos() throws(Diagnostic) -> Round {
        let count = 12
        var round = Round()
        var clock = Clock()
        let source = table("Photos")
        let assets = AssetTable()
        let names = ["asset", "orientation", "mediaType", "creationDate"]
        var request = ScanRequest(columns: ColumnMask(names.map { column($0, of: source) }))
        request.predicates = [
            Predicate(column: column("mediaType", of: source), operation: .equal, values: [.integer(1)])
        ]
        request.order = [OrderTerm(column: column("creationDate", of: source), descending: true)]
        request.limit = count
        let isOrdered = source.offer(for: request).servesOrder
        if !isOrdered {
            request.order = []
            request.limit = nil
        }
        let scan = try source.snapshot(assets: assets).scan(request)
        let chunk = ColumnChunk(spec: source.spec)
        var newest: [(taken: String, asset: String, orientation: Int64)] = []
        var isDone = false
        while !isDone {
            chunk.removeAll()
            isDone = try !scan.next(into: chunk)
            let columns = names.map { chunk.view(of: column($0, of: source)) }
            for at in 0..<chunk.rowCount {
                guard columns[2].integer(at) == 1 else { continue }
                let taken = columns[3].bytes(at)
                // Of equal times the earlier row comes first, as in the sorted query.
                if newest.count == count, !isOrdered,
                    !newest[count - 1].taken.utf8.lexicographicallyPrecedes(taken)
                {
                    continue
                }
                let text = String(decoding: taken, as: UTF8.self)
                // The newest come last in most folders, so most rows go to the front.
                let place = newest.firstIndex { $0.taken < text } ?? newest.count
                newest.insert(
                    (
                        text, String(decoding: columns[0].bytes(at), as: UTF8.self),
                        columns[1].hasValue(at) ? columns[1].integer(at) : 1
                    ), at: place)
                if newest.count > count { newest.removeLast() }
            }
            if isOrdered, newest.count == count { break }
        }
        var files: [(bytes: [UInt8], orientation: Int64)] = []
        for photo in newest {
            files.append((wholeFile(photo.asset, assets), photo.orientation))
        }
        round.accessMs = clock.lap()
        var pictures: [String] = []
        for (position, file) in files.enumerated() {
            var made = thumbnail()
            let type = file.bytes.first == 0x89 ? "image/png" : "image/jpeg"
            let isMade = thumbnail_make(
                file.bytes, file.bytes.count, type, 96, Int32(file.orientation), &made)
            let bytes = isMade ? Array(UnsafeBufferPointer(start: made.bytes, count: Int(made.length))) : []
            if isMade { free(made.bytes) }
            pictures.append(
                isMade
                    ? "[\(position + 1),\(made.width),\(made.height),\(bytes)]"
                    : "[\(position + 1),null,null,null]")
        }
        round.computeMs = clock.lap()
        round.result = "[" + pictures.joined(separator: ",") + "]"
        return round
    }

    /// Walks over columns of a table, chunk by chunk; the time of reading and that of `body` are kept apart.
    private func scan(
        _ name: String, _ names: [String], _ round: inout Round,
        _ body: ([ColumnChunk.View], Int) -> Void
    ) throws(Diagnostic) {
        var clock = Clock()
        let source = table(name)
        let positions = names.map { column($0, of: source) }
        let scan = try source.snapshot(assets: AssetTable()).scan(ScanRequest(columns: ColumnMask(positions)))
        let chunk = ColumnChunk(spec: source.spec)
        var isDone = false
        while !isDone {
            chunk.removeAll()
            isDone = try !scan.next(into: chunk)
            let views = positions.map { chunk.view(of: $0) }
            round.accessMs += clock.lap()
            for row in 0..<chunk.rowCount { body(views, row) }
            round.computeMs += clock.lap()
        }
    }

    /// The bytes of a file; none where it cannot be read.
    private func wholeFile(_ handle: String, _ assets: AssetTable) -> [UInt8] {
        guard assets.deliver(handle), let asset = assets.delivered(handle) else { return [] }
        let file = open(asset.path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { return [] }
        let size = Int(status.st_size)
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
            while filled < size {
                let count = read(file, buffer.baseAddress! + filled, size - filled)
                guard count > 0 else { return }
                filled += count
            }
        }
    }

    private func table(_ name: String) -> any TableSource {
        tables.first { $0.spec.name == name }!
    }

    private func column(_ name: String, of source: any TableSource) -> Int {
        source.spec.columns.firstIndex { $0.name == name }!
    }
}

/// Milliseconds on the steady clock.
struct Clock {
    private var last = Clock.now()

    mutating func lap() -> Double {
        let now = Self.now()
        defer { last = now }
        return now - last
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}
