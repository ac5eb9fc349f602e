import EscrowBus
import EscrowConsent
import EscrowFiles
import EscrowHost
import EscrowQuestion

/// Tells the individual, by the desktop's notifications, that an app waits for them; they can answer there.
///
/// Whatever else is asked while one has no turn waits in the list. Nothing takes the focus, and one that is closed is no answer.
final class Notifier: Sendable {
    private let turns = Turns()

    /// What is shown, and what is done with the word that is chosen there.
    struct Notice: Sendable {
        let question: DesktopQuestion
        let answer: @Sendable (String?) -> Void
    }

    /// Shows what somebody asks, unless it is not their turn. Only then `find` is called: it may have to plan what waits.
    func show(of asker: Asker, _ find: () -> Notice?) {
        guard let bus = BusConnection.session, turns.take(asker, at: monotonicNanoseconds()) else { return }
        guard let notice = find() else { return turns.giveBack(asker) }
        let started = SystemThread.start(name: "notify") { [turns] in
            let chosen = notice.question.ask(over: bus)
            turns.end(asker, at: monotonicNanoseconds())
            notice.answer(chosen)
        }
        if !started { turns.giveBack(asker) }
    }
}

extension Notifier.Notice {
    /// What an app asks. `answer` is given what is chosen.
    init(
        _ request: UndecidedRequest, more: Int,
        answer: @escaping @Sendable (UndecidedRequest, ConsentAnswer) -> Void
    ) {
        var lines = request.description.nutshell
        if more > 0 { lines.append("\(more) more of it: escrow pending") }
        question = DesktopQuestion(
            title: request.description.questionTitle, lines: lines,
            buttons: ["no": "No", "once": "Once", "today": "Today"],
            elsewhere: "Answer: escrow page, or escrow answer \(request.id)")
        self.answer = { chosen in
            switch chosen {
            case "once": answer(request, .allow(.once))
            case "today": answer(request, .allow(.today))
            case "no": answer(request, .no)
            default: break
            }
        }
    }

    /// That an app waits until something is picked for it; that is done on the page, or on a terminal.
    init(_ request: PickRequest) {
        question = DesktopQuestion(
            title: "Pick what \(PlainText.quoted(request.description.title)) is given",
            lines: ["for \(PlainText.neutral(request.description.app, longest: 128))"], buttons: [:],
            elsewhere: "escrow page, or escrow answer \(request.id)")
        answer = { _ in }
    }
}
