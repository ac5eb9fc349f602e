import EscrowJSON
package import EscrowLocationPrivacy
public import EscrowManifest

extension EgressEndpoint {
    /// One sentence for the individual: where it goes, what it carries at most, and what of the individual's data is in it.
    /// A grant is for the endpoint itself, not for these words, which may get better.
    public var sentence: String { sentence(telling: nil) }

    /// The same, with how exactly the individual's rules let it tell where they are; nil for what the manifest asks.
    package func sentence(telling told: Telling?) -> String {
        if let effect = template.effect {
            return
                "on this device: may \(effect.words), it says to \(PlainText.quoted(why)); at most \(Self.count(maxCalls, "time")) a run; with "
                + fields.map(\.phrase).joined(separator: ", ")
        }
        // The publisher's words stand in quotation marks, as its purpose does: what follows is the host's.
        var text =
            "\(method.rawValue) \(shownPlace), it says to \(PlainText.quoted(why)); "
            + "at most \(Self.count(maxCalls, "call"))"
        if let maxBytes { text += " of \(Self.count(maxBytes, "byte")) together" }
        text += " and \(Capacity.words(Int(capacityBits.rounded(.up)))) a run"
        if isTogether { text += ", all requests of a run in one go" }
        if isUnlinkable { text += ", each on a connection of its own" }
        if !pins.isEmpty {
            let keys = pins.map { "sha256/" + Base64.encode($0) }.joined(separator: " or ")
            text += ", only to a server with the key \(keys)"
        }
        if let exactness = told ?? place?.exactness {
            text += "; with \(exactness.words), which escrow fills in"
            if exactness == .neighbourhood, let service = place?.service {
                let most = KValue.most(for: service, accuracy: Exactness.neighbourhood.metres)
                if most > 1 {
                    text += "; where too few people live, in up to \(most) requests, of which one is true"
                }
            }
        }
        if let asset = body.asset { text += "; with \(body.isMade ? asset.madeWords : asset.words)" }
        if hasCredential {
            text += "; in your name, by what you keep for it, which escrow fills in and nobody else sees"
        }
        if !fields.isEmpty { text += "; with " + fields.map(\.phrase).joined(separator: ", ") }
        return text
    }

    /// How many bits each field can carry, and a call, and a run: for the plugin's author.
    public var bitsByField: String {
        let each =
            (place.map { ["your place \(Self.bits($0.exactness.bits))"] } ?? [])
            + fields.filter { $0.part == nil }.map { "\($0.name) \(Self.bits($0.capacityBits))" }
        let moment = TimeGrid.requests.bits
        guard !isTogether else {
            let call = each.isEmpty ? "" : "\(each.joined(separator: ", ")); "
            return "\(call)\(Self.bits(callBits)) bits a call, when all are sent \(Self.bits(moment)), "
                + "\(Self.bits(capacityBits)) a run"
        }
        let call = (each + ["when it is sent \(Self.bits(moment))"]).joined(separator: ", ")
        return "\(call); \(Self.bits(callBits + moment)) bits a call, \(Self.bits(capacityBits)) a run"
    }

    /// One decimal, without Foundation.
    private static func bits(_ value: Double) -> String { String((value * 10).rounded(.up) / 10) }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}

extension DataflowDescription {
    /// What would be sent as the manifest alone says: for apps, which are told nothing of the individual's rules.
    package var manifestEgress: [String] { dataflow.reach?.egress.map(\.sentence) ?? [] }
}

extension EgressField {
    /// The field with what it may be and where its publisher says that its value comes from. The host cannot see where a
    /// plugin took a value from, so it says whose word that is.
    fileprivate var phrase: String {
        if let part { return "\(name) (the \(part.rawValue) of that place)" }
        var words = bounds.words
        if let decimals, bounds.oneOf == nil { words += ", \(decimals) decimals" }
        if let pattern, bounds.oneOf == nil { words += ", \(pattern.rawValue)" }
        if let most { words = "up to \(most) values, each " + words }
        if constant != nil { words = "always " + words.dropFirst("one of ".count) }
        if !derivedFrom.isEmpty {
            words += ", the publisher says from \(Brief.list(derivedFrom, most: 12, "column"))"
        }
        return "\(name) (\(words))"
    }
}

extension Manifest {
    /// What a query of it may read: of each table as many columns as there is room for, and how many there are besides.
    public var readsSentence: String {
        let tables = accepts.reads.map { "\($0.table): \(Brief.list($0.columns, most: 24, "column"))" }
        return tables.isEmpty ? "nothing" : tables.joined(separator: "; ")
    }

    /// How much a run can carry away, by request and by result: "sends at most 17 bits a run to api.example.org; returns at
    /// most 96 bits to the app, and 6 bits more by when and whether it comes".
    public var capacitySentence: String {
        let sent = Int(sentBits.rounded(.up))
        let sends =
            requests.isEmpty
            ? "sends nothing"
            : "sends at most \(Capacity.words(sent)) a run to \(Brief.list(receivers, most: 8, "server"))"
        return "\(sends); returns at most \(Capacity.words(result.capacityBits)) to the app, "
            + "and \(Capacity.words(besideBits)) more by when and whether it comes"
    }

    /// How much requests carry at most, what of the individual's is in them, a place that the host fills in and what the publisher says,
    /// and where they go. Of columns those come first that are really read.
    package func internetSentence(reading reads: [TableUse]) -> String {
        let egress = requests
        guard !egress.isEmpty else { return effectSentence }
        let read = Set(
            reads.flatMap { use in (use.returned + use.used).map { "\(use.table).\($0)" } })
        let columns = Set(egress.flatMap(\.fields).flatMap(\.derivedFrom)).sorted()
        let shown = (columns.filter(read.contains) + columns.filter { !read.contains($0) })
            .map { Brief.middle($0, longest: 64) }
        var what = Set(egress.compactMap { $0.place?.exactness.words }).sorted().map { "with \($0)" }
        if !columns.isEmpty { what.append("the publisher says from \(Brief.list(shown, most: 6, "column"))") }
        if what.isEmpty { what = ["nothing from your data as the publisher says"] }
        let effects = effectSentence.isEmpty ? "" : "; " + effectSentence
        return
            "SENDS at most \(Capacity.words(Int(sentBits.rounded(.up)))) a run, \(what.joined(separator: ", ")), "
            + "to \(Brief.list(receivers, most: 8, "server"))\(effects)"
    }

    /// Who gets what is sent: first who can be sent most.
    private var receivers: [String] {
        let all = Dictionary(grouping: requests) { "\($0.shownReceiver) \($0.template.host)" }
        func bits(_ requests: [EgressEndpoint]) -> Double { requests.reduce(0) { $0 + $1.capacityBits } }
        return all.sorted { (bits($1.value), $0.key) < (bits($0.value), $1.key) }
            .map { $0.value[0].shownReceiver }
    }

    /// What it may do on this machine.
    private var effectSentence: String {
        effects.isEmpty
            ? ""
            : "on this device it may " + Set(effects.map(\.template.shown)).sorted().joined(separator: ", ")
    }
}
