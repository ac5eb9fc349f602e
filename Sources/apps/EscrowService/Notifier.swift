import EscrowBus
import EscrowConsent
import EscrowFiles
import EscrowHost
import EscrowQuestion
import Synchronization

/// Tells the individual, by the desktop's notifications, that an app waits for them; they can answer there.
///
/// One notification an app at a time, and not more than one in half a minute: whatever else it asks waits in the list. Nothing
/// takes the focus, and one that is closed is no answer.
final class Notifier: Sendable {
    private let open = Mutex<[String: UInt64]>([:])
    private static let pause: UInt64 = 30 * 1_000_000_000

    /// Shows what an app asks, unless something of its is shown, or was a moment ago. `answer` is given what is chosen.
    func show(
        _ request: UndecidedRequest, more: Int,
        answer: @escaping @Sendable (UndecidedRequest, ConsentAnswer) -> Void
    ) {
        var lines = request.description.nutshell
        if more > 0 { lines.append("\(more) more of it: escrow pending") }
        let question = DesktopQuestion(
            title: request.description.questionTitle, lines: lines,
            buttons: ["no": "No", "once": "Once", "today": "Today"],
            elsewhere: "Answer: escrow page, or escrow answer \(request.id)")
        show(question, of: request.description.app) { chosen in
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
        let app = request.description.app
        let question = DesktopQuestion(
            title: "Pick what \(PlainText.quoted(request.description.title)) is given",
            lines: ["for \(PlainText.neutral(app, longest: 128))"], buttons: [:],
            elsewhere: "escrow page, or escrow answer \(request.id)")
        show(question, of: app) { _ in }
    }

    private func show(
        _ question: DesktopQuestion, of app: String, answer: @escaping @Sendable (String?) -> Void
    ) {
        guard let bus = BusConnection.session else { return }
        let now = monotonicNanoseconds()
        let isFree = open.withLock { open in
            if open.count > 1024 { open = open.filter { $0.value > now } }
            guard (open[app] ?? 0) <= now else { return false }
            open[app] = .max
            return true
        }
        guard isFree else { return }
        let started = SystemThread.start(name: "notify") { [self] in
            let chosen = question.ask(over: bus)
            open.withLock { $0[app] = monotonicNanoseconds() + Self.pause }
            answer(chosen)
        }
        if !started { open.withLock { $0[app] = nil } }
    }
}
