import EscrowConsent
import EscrowFiles
import EscrowHost
import EscrowQuestion
import Glibc
import Synchronization

/// Tells the individual, by the desktop's notifications, that an app waits for them; they can answer there.
///
/// One notification an app at a time, and not more than one in half a minute: whatever else it asks waits in the list. Nothing
/// takes the focus, and one that is closed is no answer. `notify-send` speaks with the desktop. Desktop Notifications 1.2
final class Notifier: Sendable {
    private let open = Mutex<[String: UInt64]>([:])
    private static let pause: UInt64 = 30 * 1_000_000_000

    /// Shows what an app asks, unless something of its is shown, or was a moment ago. `answer` is given what is chosen.
    func show(
        _ request: UndecidedRequest, more: Int,
        answer: @escaping @Sendable (UndecidedRequest, ConsentAnswer) -> Void
    ) {
        var body = request.description.nutshell
        if more > 0 { body.append("\(more) more of it: escrow pending") }
        show(
            request.description.app, request.description.questionTitle, body,
            actions: ["no": "No", "once": "Once", "today": "Today"]
        ) { chosen in
            switch chosen {
            case "once": answer(request, .allow(.once))
            case "today": answer(request, .allow(.today))
            case "no": answer(request, .no)
            default: break
            }
        }
    }

    /// Says that an app waits until something is picked for it; that is done on the page, or on a terminal.
    func show(_ request: PickRequest) {
        show(
            request.description.app, "Pick what \(request.description.title) is given",
            ["for \(request.description.app): escrow page, or escrow answer \(request.id)"], actions: [:]
        ) { _ in }
    }

    private func show(
        _ app: String, _ title: String, _ body: [String], actions: KeyValuePairs<String, String>,
        answer: @escaping @Sendable (String?) -> Void
    ) {
        guard Self.hasDesktop else { return }
        let now = monotonicNanoseconds()
        let isFree = open.withLock { open in
            if open.count > 1024 { open = open.filter { $0.value > now } }
            guard (open[app] ?? 0) <= now else { return false }
            open[app] = .max
            return true
        }
        guard isFree else { return }
        let buttons = actions.map { "--action=\($0.key)=\($0.value)" }
        let started = SystemThread.start(name: "notify") { [self] in
            let chosen = Self.ask(title, body, buttons)
            open.withLock { $0[app] = monotonicNanoseconds() + Self.pause }
            answer(chosen)
        }
        if !started { open.withLock { $0[app] = nil } }
    }

    private static var hasDesktop: Bool {
        getenv("DBUS_SESSION_BUS_ADDRESS") != nil
            || getenv("XDG_RUNTIME_DIR").map { access(String(cString: $0) + "/bus", F_OK) == 0 } == true
    }

    /// The word of what was chosen; nil where nothing was, or nothing could be shown.
    private static func ask(_ title: String, _ body: [String], _ buttons: [String]) -> String? {
        let words =
            [
                "notify-send", "--app-name=Escrow", "--category=escrow.question", "--icon=dialog-question",
                "--wait", "--expire-time=120000",
            ] + buttons + ["--", title, body.map(escaped).joined(separator: "\n")]
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let output = Descriptor(owning: ends[0])
        let process = start(words, output: Descriptor(owning: ends[1]))
        guard process > 0 else { return nil }
        var text: [UInt8] = []
        while text.count < 64, let piece = try? output.read(64), !piece.isEmpty { text += piece }
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
        return String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline).last.map(String.init)
    }

    private static func start(_ words: [String], output: consuming Descriptor) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { return -1 }
        defer { posix_spawn_file_actions_destroy(&actions) }
        let copies = words.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        var process: pid_t = 0
        guard posix_spawn_file_actions_adddup2(&actions, output.raw, 1) == 0,
            Spawning.closeFrom(&actions, 3) == 0,
            posix_spawnp(&process, words[0], &actions, nil, copies + [nil], environ) == 0
        else { return -1 }
        return process
    }

    /// Text for a desktop that reads markup.
    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
