import EscrowLocationPrivacy

extension EgressEndpoint {
    /// What is different from an older endpoint of the same name.
    func changes(from old: EgressEndpoint, _ changes: inout Changes) {
        let name = briefName
        if method != old.method || template != old.template || destination != old.destination {
            changes.add(
                .different,
                "\(name) now sends \(method.rawValue) \(template.brief), it was \(old.method.rawValue) \(old.template.brief)"
            )
        }
        switch (place, old.place) {
        case (let place?, let before?): place.changes(of: name, from: before, &changes)
        case (let place?, nil): changes.add(.wider, "\(name) also tells \(place.exactness.words)")
        case (nil, _?): changes.add(.narrower, "\(name) no longer tells where you are")
        case (nil, nil): break
        }
        for field in fields {
            let fieldName = Brief.middle(field.name, longest: 40)
            guard let before = old.fields.first(where: { $0.name == field.name }) else {
                changes.add(.wider, "\(name) also sends \(fieldName)")
                continue
            }
            if field.place != before.place {
                changes.add(
                    .different, "\(name) sends \(fieldName) \(field.place), it was \(before.place)")
            }
            if !field.isSpelled(as: before) || !field.isWithin(before) && field.place == before.place {
                changes.add(
                    field.isWithin(before) ? .narrower : .wider,
                    "\(name) sends \(fieldName) as \(field.words), it was \(before.words)")
            }
            for column in Set(field.derivedFrom).subtracting(before.derivedFrom).sorted() {
                changes.add(
                    .wider,
                    "the publisher says that \(name) may send in \(fieldName) what comes from \(Brief.middle(column, longest: 64))"
                )
            }
        }
        if why != old.why {
            changes.add(.different, "the reason for \(name) now reads: \(Brief.middle(why, longest: 100))")
        }
        for field in old.fields where !fields.contains(where: { $0.name == field.name }) {
            changes.add(.narrower, "\(name) no longer sends \(Brief.middle(field.name, longest: 40))")
        }
        changes.compare(old.maxCalls, maxCalls, "most calls of \(name)")
        changes.compare(
            old.maxBytes ?? .max, maxBytes ?? .max, "most bytes that \(name) may send in a run")
        if isUnlinkable != old.isUnlinkable {
            changes.add(
                isUnlinkable ? .narrower : .wider,
                isUnlinkable
                    ? "\(name) now has a new connection for each call"
                    : "\(name) no longer has a new connection for each call")
        }
        if isTogether != old.isTogether {
            changes.add(
                isTogether ? .narrower : .wider,
                isTogether
                    ? "\(name) now sends all its requests of a run in one go"
                    : "\(name) no longer sends all its requests of a run in one go")
        }
        bodyChanges(from: old, &changes)
        if Set(pins) != Set(old.pins) {
            changes.add(
                !pins.isEmpty && (old.pins.isEmpty || Set(pins).isSubset(of: old.pins)) ? .narrower : .wider,
                "\(name) is pinned to other keys of its server")
        }
        changes.compare(old.response.maxBytes, response.maxBytes, "most bytes that \(name) may answer")
        if response.mediaType != old.response.mediaType {
            changes.add(
                .different, "\(name) is answered with \(response.mediaType), it was \(old.response.mediaType)"
            )
        }
        if !response.isWithin(old.response) {
            changes.add(.wider, "the plugin gets further members of what \(name) answers")
        }
    }
}

extension EgressEndpoint {
    /// Its name for a list of changes.
    var briefName: String { Brief.middle(name, longest: 40) }

    private func bodyChanges(from old: EgressEndpoint, _ changes: inout Changes) {
        let name = briefName
        switch (body.asset, old.body.asset) {
        case (let asset?, let before?):
            if body.isMade != old.body.isMade {
                changes.add(.different, "\(name) now sends \(body.words), it was \(old.body.words)")
            }
            changes.compare(before.maxBytes, asset.maxBytes, "most bytes of a file that \(name) sends")
            for type in asset.mediaTypes where !before.mediaTypes.contains(type) {
                changes.add(.wider, "\(name) may also send files of the type \(type)")
            }
        case (let asset?, nil): changes.add(.wider, "\(name) also sends \(asset.words)")
        case (nil, _?): changes.add(.narrower, "\(name) no longer sends a file of yours")
        case (nil, nil):
            if body != old.body {
                changes.add(.different, "\(name) now sends \(body.words), it was \(old.body.words)")
            }
        }
        if hasCredential != old.hasCredential {
            changes.add(
                hasCredential ? .wider : .narrower,
                hasCredential
                    ? "\(name) is now sent in your name, by what you keep for \(template.shownHost)"
                    : "\(name) is no longer sent in your name")
        }
    }
}

extension EgressField {
    /// Where in the request it stands, and under which name.
    fileprivate var place: String {
        let joined = separator.map { ", joined by \"\($0.rawValue)\"" } ?? ""
        return location == .path
            ? "in the path"
            : "in the \(location.rawValue) as \"\(Brief.middle(wireName, longest: 40))\"\(joined)"
    }

    /// Whether it may be just what another may be.
    fileprivate func isSpelled(as other: EgressField) -> Bool {
        (part, bounds, decimals, most, pattern)
            == (other.part, other.bounds, other.decimals, other.most, other.pattern)
    }

    /// What it may be.
    fileprivate var words: String {
        (part.map { "the \($0.rawValue) of a place of yours, " } ?? "") + bounds.briefWords
            + (decimals.map { ", \($0) decimals" } ?? "")
            + (most.map { ", up to \($0) of them" } ?? "")
            + (pattern.map { ", \($0.rawValue)" } ?? "")
    }

    /// Whether everything that this field can send could be sent in the other.
    func isWithin(_ other: EgressField) -> Bool {
        location == other.location && part == other.part && wireName == other.wireName
            && separator == other.separator
            && bounds.isWithin(other.bounds)
            && (most ?? 1) <= (other.most ?? 1) && (most == nil) == (other.most == nil)
            && (other.pattern == nil || pattern == other.pattern)
            && (other.decimals == nil || decimals ?? .max <= other.decimals ?? .max)
            && Set(derivedFrom).isSubset(of: other.derivedFrom)
    }
}

extension EgressResponse {
    fileprivate func isWithin(_ other: EgressResponse) -> Bool {
        guard let allowed = other.members else { return true }
        return members.map { $0.allSatisfy(allowed.contains) } ?? false
    }
}

extension ScalarBounds {
    /// Whether each value that is allowed here is allowed there.
    func isWithin(_ other: ScalarBounds) -> Bool {
        guard type == other.type else { return false }
        if let oneOf { return oneOf.allSatisfy(other.allows) }
        guard other.oneOf == nil else { return false }
        return other.integerRange.lowerBound <= integerRange.lowerBound
            && integerRange.upperBound <= other.integerRange.upperBound
            && minimum ?? -.infinity >= other.minimum ?? -.infinity
            && maximum ?? .infinity <= other.maximum ?? .infinity
            && maxLength ?? .max <= other.maxLength ?? .max
    }
}
