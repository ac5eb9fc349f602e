internal import EscrowDatabase
public import EscrowDiagnostics
public import EscrowGroup
internal import EscrowShareClient
internal import EscrowShareWire

/// What the owner does, and what members take of it.
extension Device {
    /// Whether this device may take somebody in.
    public func requireInviter() throws(Diagnostic) { try requireOwner() }

    /// Takes somebody in: registers them at the servers, begins an epoch, and gives what is to be handed to them. Whoever is a
    /// member already by the same keys gets another letter: the first may never have arrived.
    public func invite(_ introduction: Introduction, code: String, at now: Int64) throws(Diagnostic)
        -> Invitation
    {
        try requireOwner()
        guard code == introduction.code else {
            throw Diagnostic(
                .letterRefused, "the code is not that of this introduction",
                help: "compare it with what their device shows; somebody may have put other keys in")
        }
        let id = introduction.profile.id
        let known = keyring.newest.members[id]
        guard ShareName.isPart(id), id != profile.id, known == nil || known == introduction.identity else {
            throw Diagnostic(.letterRefused, "a member is known by that node already, with other keys")
        }
        let places = try admit(id, to: membership.meeting, masters: membership.masters)
        var have = grouper.member.have
        var letter: [UInt8] = []
        try step { () throws(Diagnostic) in
            // Of somebody who is invited again something may be here.
            have[id] = have[id] ?? 0
            try forgetExpulsion(id)
            membership.people[id] = introduction.profile
            grouper.add(id, having: have[profile.id] ?? 0)
            try beginEpoch(keyring.newest.members.merging([id: introduction.identity]) { $1 }, except: id)
            let copy = Letter.Copy(have: have, objects: try store.objects())
            letter = try sealed(for: [id: places.keys], at: places, copy)
        }
        return Invitation(owner: Introduction(profile, keys.identity), letter: letter)
    }

    /// Shuts a member out: by an epoch whose key it does not get, and at the servers. These hear of it, and the others get the
    /// new key, with the next ``sync(at:)``; ``stillAdmitted`` says which servers have not done it. For somebody whose key is
    /// still to go nothing more is to be done.
    public func remove(_ id: String) throws(Diagnostic) {
        try requireOwner()
        guard try stillAdmitted[id] == nil else { return }
        guard id != profile.id, keyring.newest.members[id] != nil else {
            throw Diagnostic(.noSuchThing, "there is no such other member", help: "escrow group show NAME")
        }
        try step { () throws(Diagnostic) in try expel(id) }
    }

    func expel(_ id: String) throws(Diagnostic) {
        grouper.remove(id)
        membership.people[id] = nil
        try store.database.run("DELETE FROM unanswered WHERE member = ?", .text(id))
        try beginEpoch(keyring.newest.members.filter { $0.key != id }, except: nil)
        try sealAnew()
        try expelAtServers(id)
    }

    /// Says that this device leaves; the owner's shuts it out then.
    public func leave(at now: Int64) throws(Diagnostic) {
        guard !isOwner else {
            throw Diagnostic(.notTheOwner, "the owner cannot leave the group", help: "remove the others")
        }
        try step { () throws(Diagnostic) in grouper.leave(at: now) }
    }

    /// Meets at other servers from now on; the data is on the devices. What was under way is sent again by its authors.
    ///
    /// - Returns: for each other member what tells it so, for those whom the servers until now do not reach any more.
    public func move(to servers: [String], threshold: Int, accepted: Int, at now: Int64) throws(Diagnostic)
        -> [String: Invitation]
    {
        try requireOwner()
        let founding = try Founding(
            servers, threshold: threshold, accepted: accepted, node: profile.id,
            timeToLive: membership.charter.timeToLive, client)
        // Of each member the keys at the new servers.
        var accessKeys: [String: [String]] = [:]
        for id in keyring.newest.members.keys where id != profile.id {
            accessKeys[id] = try admit(id, to: founding.meeting, masters: founding.masters).keys
        }
        var letters: [String: Invitation] = [:]
        try step { () throws(Diagnostic) in
            try store.database.run("DELETE FROM unanswered")
            keyring.begin(keyring.newest.next(members: keyring.newest.members))
            let bytes = try sealed(for: accessKeys, at: founding.meeting, nil)
            // By the servers until now, where they live.
            try enqueue(bytes)
            let letter = Invitation(owner: Introduction(profile, keys.identity), letter: bytes)
            letters = accessKeys.mapValues { _ in letter }
        }
        _ = try sync(at: now)
        try step { () throws(Diagnostic) in
            try store.forgetWay()
            membership.meeting = founding.meeting
            membership.masters = founding.masters
        }
        return letters
    }

    // MARK: Letters

    /// Begins an epoch, of which all members but this one and one other are to hear.
    private func beginEpoch(_ members: [String: MemberIdentity], except other: String?) throws(Diagnostic) {
        keyring.begin(keyring.newest.next(members: members))
        try store.setPart("epochs", keyring.epochs)
        for id in members.keys where id != profile.id && id != other {
            try store.database.run("INSERT OR REPLACE INTO unanswered VALUES (?, NULL)", .text(id))
        }
    }

    private func sealed(
        for receivers: [String: [String]], at meeting: Letter.Meeting, _ copy: Letter.Copy?
    ) throws(Diagnostic) -> [UInt8] {
        let letter = Letter(
            charter: membership.charter, epoch: keyring.newest, people: membership.people, meeting: meeting,
            copy: copy)
        do { return try letter.sealed(for: receivers, by: keys) } catch {
            throw Diagnostic(.groupUnfit, "a letter cannot be sealed for a member")
        }
    }

    /// Sends one letter to all who did not answer under the newest epoch, once in the time to live. However many epochs began
    /// since the last exchange, they hear of the newest alone.
    func sendLetter(at now: Int64) throws(Diagnostic) {
        let due = try store.database.rows(
            "SELECT member FROM unanswered WHERE sent IS NULL OR sent > ?1 OR sent <= ?1 - ?2",
            .integer(now), .integer(membership.charter.timeToLive)
        ) { $0.text(0) }
        guard !due.isEmpty else { return }
        // Their keys at the servers stay as they are.
        let receivers = Dictionary(uniqueKeysWithValues: due.map { ($0, [String]()) })
        try enqueue(try sealed(for: receivers, at: membership.meeting, nil))
        for id in due {
            try store.database.run(
                "UPDATE unanswered SET sent = ? WHERE member = ?", .integer(now), .text(id))
        }
    }

    /// Takes what the owner says.
    func take(_ letter: Letter) throws(Diagnostic) {
        guard letter.charter == membership.charter, keyring.take(letter.epoch) else { return }
        let others = Set(letter.epoch.members.keys).subtracting([profile.id])
        let gone = grouper.member.others.subtracting(others)
        for member in gone { grouper.remove(member) }
        if !gone.isEmpty { try sealAnew() }
        for new in others.subtracting(grouper.member.others) {
            // What of this member's messages is in the data that they were given, they confirm.
            grouper.add(new, having: 0)
        }
        membership.people = letter.people
        if letter.meeting.group != membership.meeting.group {
            try store.forgetWay()
            membership.meeting = letter.meeting
        } else {
            // Who was invited again has other keys.
            membership.meeting = membership.meeting.taking(letter.meeting.keys)
        }
    }

    /// Takes a letter that came by hand.
    public func take(_ invitation: Invitation) throws(Diagnostic) {
        guard let letter = try? Letter(invitation.letter, for: keys, from: membership.owner) else {
            throw Diagnostic(.letterRefused, "this letter is not the owner's word to this device")
        }
        guard letter.epoch.number > keyring.newest.number else {
            throw Diagnostic(.letterRefused, "this letter is older than what this device knows")
        }
        try step { () throws(Diagnostic) in try take(letter) }
    }

    /// Registers a member: its keys where a server answered, none where it is down.
    private func admit(_ id: String, to meeting: Letter.Meeting, masters: [String]) throws(Diagnostic)
        -> Letter.Meeting
    {
        let calls = zip(meeting.places, masters).compactMap { place, master in
            ServerAddress(place.address).map {
                Call($0, "POST", "/groups/\(meeting.group)/members", key: master, body: Array(id.utf8))
            }
        }
        let keys = client.make(calls).map { outcome -> String in
            guard case .answered(201, let body) = outcome else { return "" }
            return (try? AccessKeys(body))?.access ?? ""
        }
        guard keys.count == meeting.places.count, keys.count(where: { !$0.isEmpty }) >= meeting.accepted
        else {
            throw Diagnostic(
                .tooFewServers, "fewer than \(meeting.accepted) of the group's servers take a member",
                help: "try again when they are there, or move the group: escrow group move")
        }
        return Letter.Meeting(
            group: meeting.group, threshold: meeting.threshold, accepted: meeting.accepted,
            places: zip(meeting.places, keys).map { .init(address: $0.address, key: $1) })
    }
}
