/// What an app calls, in the thesis's words: one for each group that it takes part in. The app gives messages to its
/// transport and says what time it is; here is no thread and no lock.
public final class Grouper<Stack: Synchronisation> {
    /// Which app's group it is; messages of another app never meet it.
    public let appId: String
    /// The classes of objects that are shared. The order says nothing here: an object may come before one it refers to.
    public let entities: Set<String>
    public private(set) var dataStack: Stack
    public private(set) var member: Member
    private let send: ([Message]) -> Void
    private var onReceive: (Message) -> Void = { _ in }
    private var onAhead: (Message, Int64) -> Void = { _, _ in }

    private init(
        _ appId: String, _ entities: [String], _ dataStack: Stack, _ member: Member,
        _ send: @escaping ([Message]) -> Void
    ) {
        self.appId = appId
        self.entities = Set(entities)
        self.dataStack = dataStack
        self.member = member
        self.send = send
    }

    /// Begins. `send` gets what is to go to the servers, after the state that it follows from.
    public static func setup(
        appId: String, entities: [String], dataStack: Stack, member: Member,
        send: @escaping ([Message]) -> Void
    ) -> Grouper {
        Grouper(appId, entities, dataStack, member, send)
    }

    /// What the app does to others.
    public struct Sender {
        fileprivate let group: Grouper

        /// Shares an object that is new or changed.
        public func update(_ entity: String, _ id: String, _ object: Stack.Object, at now: Int64)
            throws(GroupError)
        {
            guard group.isShared(entity, id) else { throw .unknownClass }
            let content = try group.dataStack.marshall(id, object, at: now)
            group.send(group.member.update(entity, id, content, at: now).sent)
        }

        /// Deletes an object at the others. Call it before the object is removed here.
        public func delete(_ entity: String, _ id: String, at now: Int64) throws(GroupError) {
            guard entity != Grouper.answers, group.isShared(entity, id) else { throw .unknownClass }
            let content = group.dataStack.marshallDeletion(id, at: now)
            group.send(group.member.delete(entity, id, content, at: now).sent)
        }

        /// Says what is here: when the app comes online, and now and then.
        public func confirm(at now: Int64) { group.send(group.member.confirm(at: now).sent) }
    }

    /// What others do to the app.
    public struct Receiver {
        fileprivate let group: Grouper

        /// Names what is called after another member's update or deletion was taken.
        public func receive(_ call: @escaping (Message) -> Void) { group.onReceive = call }

        /// Names what is called for a message that was written later than this device's clock can believe, with the time at
        /// which to give it to ``Grouper/takeAgain(_:at:)``: it counts as received, so nobody sends it again.
        public func wait(_ call: @escaping (Message, Int64) -> Void) { group.onAhead = call }
    }

    public var sender: Sender { Sender(group: self) }
    public var receiver: Receiver { Receiver(group: self) }

    /// A message that the transport brought, its sender checked.
    public func take(_ message: Message, at now: Int64) {
        let step = member.receive(message, at: now)
        for message in step.delivered { apply(message, at: now) }
        send(step.sent)
    }

    /// Takes a message that had to wait for its time, of a member who is one still.
    public func takeAgain(_ message: Message, at now: Int64) {
        if member.others.contains(message.senderId) { apply(message, at: now) }
    }

    private func apply(_ message: Message, at now: Int64) {
        if message.objectClass == Self.leaving { onReceive(message) }
        guard isShared(message.objectClass, message.objectId), isForSender(message) else { return }
        do throws(GroupError) {
            switch message.content {
            case .update(let content): try dataStack.updateRemote(message.objectId, content, at: now)
            case .delete(let content): try dataStack.deleteRemote(message.objectId, content, at: now)
            case .confirm, .resend: return
            }
        } catch {
            // What cannot be read will not be readable when it is sent again: it counts as received.
            if case .ahead(let due) = error { onAhead(message, due) }
            return
        }
        onReceive(message)
    }

    /// The class of the message by which a member says that it leaves; no class of an app's has a blank.
    public static var leaving: String { "leaves the group" }

    /// The class of what members say when they answer a question together; no app's either.
    public static var answers: String { "answers together" }

    /// The identifier of such a word: it begins with the class, so that no object of an app's takes a word's place.
    public static func wordId(_ name: String) -> String { "\(answers)/\(name)" }

    fileprivate func isShared(_ entity: String, _ id: String) -> Bool {
        let isWord = entity == Self.answers
        return (isWord || entities.contains(entity)) && isWord == id.hasPrefix(Self.wordId(""))
    }

    /// Whether the message's sender may send it. Each member says its own words, whose identifiers end with its name, and each
    /// once: the first version stands, and nobody deletes it.
    private func isForSender(_ message: Message) -> Bool {
        guard message.objectClass == Self.answers else { return true }
        guard case .update = message.content, dataStack.version(of: message.objectId) == nil else {
            return false
        }
        return message.objectId.split(separator: "/").last.map { $0 == message.senderId } ?? false
    }

    /// Says to all that this member leaves. The owner begins an epoch without it.
    public func leave(at now: Int64) {
        send(member.update(Self.leaving, member.profile.id, "", at: now).sent)
    }

    /// Somebody joined: ``Member/add(_:having:)``.
    public func add(_ id: String, having number: UInt64) { member.add(id, having: number) }

    /// Somebody is no member any more.
    public func remove(_ id: String) { member.remove(id) }

    /// Takes a version that is kept, or that the owner gave with an invitation.
    public func restore(_ version: ObjectVersion, of objectId: String) throws(GroupError) {
        try dataStack.take(version, of: objectId)
    }

    /// Time passed.
    public func tick(at now: Int64) { send(member.tick(at: now).sent) }
}
