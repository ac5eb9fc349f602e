import EscrowDiagnostics
import EscrowFiles
import EscrowHome
import EscrowHost
import EscrowLedger
import EscrowLocation
import EscrowPage
import Synchronization

/// What the page counts of the ledger, as far as it was read: what was read before is not read again.
struct Past {
    private(set) var flows = FlowBook()
    private(set) var sent = SentBook()
    private var told: [LocationAudit.Told] = []
    private var toldThrough: UInt64 = 0

    private mutating func take(_ entry: LedgerEntry) {
        flows.take(entry)
        sent.take(entry)
    }

    /// Takes in what is new. False where it does not fit what is known, or is more than so many entries: then nothing is known.
    mutating func followed(_ reader: LedgerReader, most: UInt64 = .max) throws(Diagnostic) -> Bool {
        let count = try reader.count()
        var fits = flows.last > 0 && count >= flows.last
        guard !fits || count - flows.last <= most else { return false }
        if fits, count > flows.last {
            try reader.forEach(from: flows.last + 1) { (entry) throws(Diagnostic) in
                fits = !FlowBook.changesThePast(entry)
                if fits { take(entry) }
                return fits
            }
        }
        if !fits { self = Past() }
        return fits
    }

    mutating func follow(_ reader: LedgerReader) throws(Diagnostic) {
        guard try !followed(reader) else { return }
        try reader.forEach { (entry) throws(Diagnostic) in
            take(entry)
            return true
        }
    }

    /// The latest places that were told, read where requests told some.
    mutating func places(_ reader: LedgerReader, most: Int) throws(Diagnostic) -> [LocationAudit.Told] {
        guard let places = sent.places, places.upperBound > toldThrough else { return told }
        let new = max(places.lowerBound, toldThrough + 1)...places.upperBound
        told = (told + (try reader.part(new).toldPlaces())).suffix(most)
        toldThrough = places.upperBound
        return told
    }
}

extension PageDesk {
    /// The whole past. The first time, and where the past was changed, the whole ledger is read; who needs nothing of it does not
    /// wait for that.
    func pastNow() throws(Diagnostic) -> Past {
        try past.withLock { (past) throws(Diagnostic) -> Past in
            try past.follow(host.ledgerReader())
            return past
        }
    }

    func book() throws(Diagnostic) -> FlowBook { try pastNow().flows }

    /// Reads the ledger while nobody waits for it.
    func readAhead() { _ = SystemThread.start(name: "past") { _ = try? self.pastNow() } }

    /// The runs of the last day: of the whole past where it is known, else of the latest entries, while that is being read.
    func recent() throws(Diagnostic) -> (book: FlowBook, isPart: Bool) {
        let reader = host.ledgerReader()
        let most: UInt64 = 3_000
        let known = try past.withLockIfAvailable { (past) throws(Diagnostic) -> FlowBook? in
            try past.followed(reader, most: most) ? past.flows : nil
        }
        switch known {
        case .some(.some(let book)): return (book, false)
        case .some(.none): readAhead()
        case .none: break  // Somebody reads it.
        }
        let since = LedgerTime(milliseconds: LedgerTime.now().milliseconds - 86_400_000)
        var first: UInt64?
        var left = most
        var isPart = false
        try reader.forEachBackward { (entry) throws(Diagnostic) in
            guard entry.time >= since else { return false }
            isPart = left == 0
            guard !isPart else { return false }
            left -= 1
            first = entry.sequence
            return true
        }
        var book = FlowBook()
        guard let first else { return (book, false) }
        try reader.forEach(from: first) { (entry) throws(Diagnostic) in
            book.take(entry)
            return true
        }
        return (book, isPart)
    }

    /// The runs whose process is there, as far as the ledger tells of them.
    func runsUnderWay(in book: FlowBook) throws(Diagnostic) -> [FlowBook.Run] {
        let reader = host.ledgerReader()
        var runs: [FlowBook.Run] = []
        for (id, began) in try reader.runsUnderWay() {
            if let run = book.underWay.first(where: { $0.id == id }) {
                runs.append(run)
            } else if let entry = try reader.entry(began) {
                var one = FlowBook()
                one.take(entry)
                runs += one.runs
            }
        }
        return runs
    }

    func countUnderWay() throws(Diagnostic) -> Int { try host.ledgerReader().runsUnderWay().count }

    func flows() throws(Diagnostic) -> HTML {
        FlowsView(try book(), underWay: Set(try host.ledgerReader().runsUnderWay().map(\.run))).html
    }

    /// Who is told live where the individual is, or was within a day.
    func toldLive() throws(Diagnostic) -> [LiveFollow] {
        let follows = try host.live.follows()
        // Where no plugin ran for one that ended, nothing is to be looked up.
        guard follows.contains(where: { !$0.isRunning && $0.plugin != nil }) else {
            return PlacesView.told(follows, in: FlowBook())
        }
        let recent = try recent()
        return recent.isPart ? follows : PlacesView.told(follows, in: recent.book)
    }

    func sentList(before: UInt64?) throws(Diagnostic) -> HTML {
        SentView.list(try pastNow().sent, before: before)
    }

    /// One request, with all that the ledger keeps of it.
    func sentOne(_ id: String) throws(Diagnostic) -> HTML? {
        let reader = host.ledgerReader()
        guard let item = try pastNow().sent.items.last(where: { $0.record.id == id }),
            let entry = try reader.entry(item.entry)
        else { return try reader.egressRecords().first { $0.id == id }.map(SentView.one) }
        var record = EgressRecord(id: id, run: entry.run ?? "", time: entry.time, sent: entry.fields)
        if let number = item.answer, let answer = try reader.entry(number) {
            record.end = answer.fields
            record.endTime = answer.time
        }
        return SentView.one(record)
    }

    /// A part of the ledger, the latest first. Only a search that finds little reads far.
    func ledger(_ search: String, before: UInt64?) throws(Diagnostic) -> HTML {
        let verdict = state.withLock { state in
            defer { state.verdict = [] }
            return state.verdict
        }
        let most = 100
        var found: [LedgerEntry] = []
        var isMore = false
        try host.ledgerReader().forEachBackward(before: before ?? .max) { (entry) throws(Diagnostic) in
            guard LedgerView.matches(entry, search) else { return true }
            isMore = found.count == most
            if !isMore { found.append(entry) }
            return !isMore
        }
        return LedgerView.list(
            found, search: search, next: isMore ? found.last?.sequence : nil, proof: proof, verdict: verdict)
    }

    func ledgerEntry(_ word: String) throws(Diagnostic) -> (title: String?, html: HTML)? {
        let reader = host.ledgerReader()
        if let number = UInt64(word) {
            guard let found = try reader.entry(number) else { return nil }
            return ("Entry \(number)", LedgerView.one([found], receipt: []))
        }
        var found: [LedgerEntry] = []
        try reader.forEach { (entry) throws(Diagnostic) in
            if entry.run == word { found.append(entry) }
            return true
        }
        guard !found.isEmpty else { return nil }
        return ("Run \(word)", LedgerView.one(found, receipt: try reader.receipt(of: word)))
    }
}

extension PageDesk {
    /// What an error says to the one whose machine it is. Where the page has a place for what the help would have typed, that is named.
    static func said(_ error: Diagnostic) -> [String] {
        ([error.message] + error.notes + [error.help.map(help) ?? ""]).filter { !$0.isEmpty }
    }

    private static func help(_ help: String) -> String {
        if let place = places.first(where: { help.contains("escrow \($0.command)") }) {
            return "on this page: \(place.section.title)"
        }
        return help.replacing("run the command again", with: "try again")
    }

    private static let places: [(command: String, section: Frame.Section)] = [
        ("grant ", .grants), ("source ", .sources), ("answer", .now), ("pending", .now),
        ("preferences", .rules), ("location live", .places), ("egress list", .sent), ("egress show", .sent),
        ("ledger list", .ledger), ("ledger show", .ledger), ("ledger verify", .ledger),
    ]
}
