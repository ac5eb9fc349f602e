internal import EscrowDatabase
public import EscrowDiagnostics
internal import EscrowFiles
internal import EscrowGroup
public import EscrowShareClient
internal import EscrowShareWire
internal import EscrowSharing
internal import Glibc

/// One device in one group: its folder, and what an app or a person does with it. One process at a time has it open. Each step is
/// on disk before anything of it is sent.
public final class Device {
    /// What this device calls the group.
    let name: String
    let store: GroupStore
    let client: Client
    var conduct: Conduct
    let keys: MemberKeys
    let profile: Member.Profile
    var membership: Membership
    var keyring: Keyring
    var grouper: Grouper<Replica>
    private(set) var classes: [String: String] = [:]
    private var storedKept: Set<UInt64> = []
    private let outbox: Outbox
    /// Objects that are kept and cannot be read. A device goes on without them: they come again when somebody writes them.
    private(set) var unreadable = 0
    private let lock: FileLock?
    private let isReading: Bool

    /// What happens during a step, until it is kept.
    final class Outbox {
        var messages: [Message] = []
        var changed: [Message] = []
        var later: [(message: Message, due: Int64)] = []
    }

    /// Opens what ``create``, or ``Candidate`` with an invitation, made.
    ///
    /// - Parameter client: whose connections to servers are used, where they outlive this.
    public convenience init(_ folder: String, client: Client? = nil) throws(Diagnostic) {
        try Self.requireGroup(folder)
        try self.init(folder, FileLock.acquire(folder + "/lock"), client)
    }

    /// Opens it to look at: it waits for no exchange of another process, and shows what that one has kept so far.
    public convenience init(reading folder: String) throws(Diagnostic) {
        try Self.requireGroup(folder)
        try self.init(folder, nil, nil)
    }

    private static func requireGroup(_ folder: String) throws(Diagnostic) {
        guard access(folder + "/group.db", F_OK) == 0 else {
            throw Diagnostic(.noSuchThing, "there is no group here of that name", help: "escrow group list")
        }
    }

    private init(_ folder: String, _ lock: consuming FileLock?, _ client: Client?) throws(Diagnostic) {
        isReading = lock == nil
        self.lock = lock
        name = folder.split(separator: "/").last.map(String.init) ?? ""
        store = try GroupStore(folder + "/group.db")
        guard let client = client ?? Client() else { throw Diagnostic(.ownFault, "libcurl cannot be used") }
        self.client = client
        conduct = Conduct(answers: { client.make($0, longest: $1, patience: $2) })
        // One moment's state, whatever another process does meanwhile.
        if isReading { try store.database.execute("BEGIN") }
        guard let membership = try store.part("membership", Membership.self),
            let epochs = try store.part("epochs", [Epoch].self),
            let state = try store.part("member", Member.self),
            let bytes = try store.part("keys", [UInt8].self), let keys = try? MemberKeys(bytes),
            let keyring = Keyring(keys, epochs)
        else {
            throw Diagnostic(
                .noSuchThing, "this device has not joined the group yet",
                help: "escrow group join NAME --invitation FILE --code -")
        }
        self.keys = keys
        self.membership = membership
        self.keyring = keyring
        let kept = try store.kept()
        storedKept = Set(kept.keys)
        profile = state.profile
        let outbox = Outbox()
        self.outbox = outbox
        grouper = .setup(
            appId: membership.charter.appId, entities: membership.charter.entities,
            dataStack: Replica(membership.charter.rule, member: state.profile.id),
            member: Member(state, kept: kept), send: { outbox.messages += $0 })
        grouper.receiver.receive { outbox.changed.append($0) }
        grouper.receiver.wait { outbox.later.append(($0, $1)) }
        for object in try store.objects() { restore(object) }
        if isReading { try store.database.execute("COMMIT") } else { try showAll() }
    }

    /// Shows what came with the invitation, or was kept by an earlier version.
    private func showAll() throws(Diagnostic) {
        let objects = objects()
        guard try store.database.number("SELECT count(*) FROM shown") != objects.count else { return }
        try store.database.transaction { () throws(Diagnostic) in
            try store.database.execute("DELETE FROM shown")
            for object in objects { try store.show(object.id, object.objectClass, object.object) }
        }
    }

    private func restore(_ object: Letter.Object) {
        do { try grouper.restore(object.version, of: object.id) } catch {
            // What others wrote must never keep this device out of its group.
            unreadable += 1
            return
        }
        classes[object.id] = object.objectClass
    }

    var isOwner: Bool { profile.id == membership.charter.owner }

    func requireOwner() throws(Diagnostic) {
        guard isOwner else { throw Diagnostic(.notTheOwner, "only the group's owner may do that") }
    }

    // MARK: Steps

    /// What others changed during a step, once it is kept.
    @discardableResult
    func step(_ body: () throws(Diagnostic) -> Void) throws(Diagnostic) -> [Message] {
        guard !isReading else { throw Diagnostic(.ownFault, "a group that is only looked at was changed") }
        (outbox.messages, outbox.changed, outbox.later) = ([], [], [])
        try store.database.transaction { () throws(Diagnostic) in
            try body()
            try keep()
        }
        return outbox.changed
    }

    private func keep() throws(Diagnostic) {
        for (message, due) in outbox.later { try store.keep(message, until: due) }
        for message in outbox.changed { try keepObject(message.objectId, message.objectClass) }
        for message in outbox.messages {
            if message.isNormal, message.receiverId == .everybody {
                try keepObject(message.objectId, message.objectClass)
            }
            guard let sealed = try? keyring.seal(message) else {
                throw Diagnostic(.groupUnfit, "a message cannot be sealed")
            }
            try enqueue(sealed)
        }
        let (state, kept) = grouper.member.parted()
        for (number, message) in kept where !storedKept.contains(number) {
            try store.database.run(
                "INSERT INTO kept VALUES (?, ?)", .integer(Int64(number)), .bytes(message.bytes))
        }
        for number in storedKept where kept[number] == nil {
            try store.database.run("DELETE FROM kept WHERE number = ?", .integer(Int64(number)))
        }
        storedKept = Set(kept.keys)
        try store.setPart("member", state)
        try store.setPart("epochs", keyring.epochs)
        try store.setPart("membership", membership)
    }

    private func keepObject(_ id: String, _ objectClass: String) throws(Diagnostic) {
        guard objectClass != Grouper<Replica>.leaving, let version = grouper.dataStack.version(of: id) else {
            return
        }
        classes[id] = objectClass
        try store.set(Letter.Object(objectClass: objectClass, id: id, version: version))
        if objectClass != Grouper<Replica>.answers {
            try store.show(id, objectClass, grouper.dataStack.objects[id])
        }
    }

    /// Splits what is sealed; the servers get it with the next ``sync(at:)``.
    func enqueue(_ sealed: [UInt8]) throws(Diagnostic) {
        guard let shares = try? membership.scheme?.split(sealed) else {
            throw Diagnostic(.groupUnfit, "a message is too long, or the group's scheme is none")
        }
        try store.send(ShareName.random(), shares.map(\.bytes))
    }

    // MARK: Objects

    /// Shares an object that is new or changed: JSON text, or any text under the rule that the newest wins.
    public func update(_ entity: String, _ id: String, _ object: String, at now: Int64) throws(Diagnostic) {
        try change { () throws(GroupError) in
            guard entity != Grouper<Replica>.answers, classes[id] == nil || classes[id] == entity else {
                throw .unknownClass
            }
            try grouper.sender.update(entity, id, object, at: now)
        }
    }

    /// Deletes an object here and at the others.
    public func delete(_ entity: String, _ id: String, at now: Int64) throws(Diagnostic) {
        guard grouper.dataStack.objects[id] != nil, classes[id] == entity else {
            throw Diagnostic(.noSuchThing, "there is no such object in the group")
        }
        try change { () throws(GroupError) in try grouper.sender.delete(entity, id, at: now) }
    }

    private func change(_ body: () throws(GroupError) -> Void) throws(Diagnostic) {
        try step { () throws(Diagnostic) in
            do throws(GroupError) { try body() } catch {
                let reason =
                    switch error {
                    case .unknownClass:
                        "its class is not one of the group's, or the identifier is of another class"
                    case .deleted: "it was deleted, and in this group a deletion stands"
                    default: "it is not a JSON object"
                    }
                throw Diagnostic(.objectUnfit, "the object cannot be shared: \(reason)")
            }
        }
    }

    /// Who wrote an object as it stands: their node, and their name where they are a member still. Under the rule that merges
    /// nobody alone did.
    public func writer(of id: String) -> (node: String, name: String)? {
        grouper.dataStack.writer(of: id).map { ($0, membership.people[$0]?.name ?? "") }
    }

    /// The objects of a class, or all of the app's, by identifier.
    public func objects(of entity: String? = nil) -> [(id: String, objectClass: String, object: String)] {
        grouper.dataStack.objects.sorted { $0.key < $1.key }.compactMap { id, object in
            guard let objectClass = classes[id],
                entity == nil ? objectClass != Grouper<Replica>.answers : entity == objectClass
            else { return nil }
            return (id, objectClass, object)
        }
    }
}
