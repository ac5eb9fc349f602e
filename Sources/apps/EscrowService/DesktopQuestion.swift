import EscrowBus

/// A question on the individual's desktop, and what is chosen there. Desktop Notifications 1.2
///
/// It goes over the session's bus, from memory to memory: no program is started with it in its command line, and nobody between
/// reads its words anew.
struct DesktopQuestion: Sendable {
    let title: String
    /// Lines of plain text; nothing in them is markup.
    let lines: [String]
    /// What the buttons stand for, and say.
    let buttons: KeyValuePairs<String, String>
    /// Where it can be answered, for a desktop that has no buttons.
    let elsewhere: String

    private static let name = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"
    private static let bus = "org.freedesktop.DBus"
    /// How long it is shown, and how much later it is taken back where the desktop leaves it.
    private static let shownMs: Int32 = 120_000
    private static let graceMs: Int32 = 5_000
    /// The desktop's program may have to be started.
    private static let patienceMs = 25_000

    /// The word of the button that was pressed; nil where none was, or nothing could be shown.
    func ask(over socket: String) -> String? {
        do throws(BusConnection.Failure) {
            let connection = try BusConnection(socket: socket, patienceMs: Self.patienceMs)
            let owner = try Self.owner(connection)
            let rule = "type='signal',sender='\(owner)',path='\(Self.path)',interface='\(Self.name)'"
            try Self.askBus(connection, "AddMatch", [.string(rule)])
            return try ask(connection, owner)
        } catch { return nil }
    }

    private func ask(_ connection: BusConnection, _ owner: String) throws(BusConnection.Failure) -> String? {
        func call(_ member: String, _ arguments: [BusValue] = []) throws(BusConnection.Failure) -> BusValue? {
            try connection.call(owner, Self.path, Self.name, member, arguments).first
        }
        guard case .array(let words)? = try call("GetCapabilities") else { return nil }
        let capabilities = Set(words.compactMap(\.text))
        // Who cannot read what it is about is not asked.
        let hasButtons = !buttons.isEmpty && capabilities.isSuperset(of: ["actions", "body"])
        let keys = hasButtons ? Self.keys(buttons) : []
        let body = (hasButtons ? lines : lines + [elsewhere]).joined(separator: "\n")
        let actions = zip(keys, buttons).flatMap { [BusValue.string($0.key), .string($1.value)] }
        guard
            let id = try call(
                "Notify",
                [
                    .string("Escrow"), .word(0), .string("dialog-question"), .string(title),
                    .string(capabilities.contains("body-markup") ? Self.escaped(body) : body),
                    actions.isEmpty ? .empty("as") : .array(actions),
                    .array([.entry(.string("category"), .variant(.string("escrow.question")))]),
                    .whole(Self.shownMs),
                ])?.integer, let number = UInt32(exactly: id), number != 0
        else { return nil }
        let end = ContinuousClock.now + .milliseconds(Self.shownMs + Self.graceMs)
        var chosen: String?
        while chosen == nil, ContinuousClock.now < end {
            let left = (end - ContinuousClock.now) / .milliseconds(1)
            guard let signal = try connection.signal(waitingMs: max(Int(left), 0)) else { break }
            guard Self.isFrom(owner, signal), signal.body.first?.integer == id else { continue }
            if signal.member == "NotificationClosed" { return nil }
            guard signal.member == "ActionInvoked", let word = signal.body.dropFirst().first?.text else {
                continue
            }
            chosen = keys.first { $0.key == word }?.meaning
        }
        _ = try? call("CloseNotification", [.word(number)])
        return chosen
    }

    /// Whether who shows the notification says it.
    ///
    /// AddMatch only chooses among what is told to all: anybody on the bus may send a signal to this connection alone, with any
    /// path, number and key in it. The sender's name is written by the bus. So this proves which connection speaks, the one that
    /// `Notify` was sent to; it does not prove that a hand pressed the button. Who may be the desktop's program on this bus may
    /// answer.
    private static func isFrom(_ owner: String, _ signal: BusMessage) -> Bool {
        signal.sender == owner && signal.path == path && signal.interface == name
    }

    /// Keys that nobody else knows: some desktops let anybody replace a notification whose number they guess, and a button upon
    /// other words must not answer this question.
    private static func keys(_ buttons: KeyValuePairs<String, String>) -> [(key: String, meaning: String)] {
        let secret = String(UInt64.random(in: .min ... .max), radix: 16)
        return buttons.map { ("\($0.key)-\(secret)", $0.key) }
    }

    /// The connection of the desktop's program, by the name that the bus gave it; it is started where it is not there yet.
    private static func owner(_ connection: BusConnection) throws(BusConnection.Failure) -> String {
        func ask() throws(BusConnection.Failure) -> String {
            guard let owner = try askBus(connection, "GetNameOwner", [.string(name)]).first?.text else {
                throw .broken
            }
            return owner
        }
        do throws(BusConnection.Failure) { return try ask() } catch {
            guard case .refused = error else { throw error }
        }
        try askBus(connection, "StartServiceByName", [.string(name), .word(0)])
        return try ask()
    }

    @discardableResult
    private static func askBus(
        _ connection: BusConnection, _ member: String, _ arguments: [BusValue]
    ) throws(BusConnection.Failure) -> [BusValue] {
        try connection.call(bus, "/org/freedesktop/DBus", bus, member, arguments)
    }

    /// Text for a desktop that reads markup.
    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
