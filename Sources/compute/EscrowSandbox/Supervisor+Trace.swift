import CEscrowLauncher
import Glibc

extension Supervisor {
    /// Answers a call of a traced run as the profile's filter would, and counts it. What would end the run gives
    /// EPERM instead.
    mutating func answerTraced(_ call: escrow_notification, _ arguments: [UInt64], _ tracing: Tracing) {
        func refuse(_ error: Int32, _ decision: Trace.Decision) {
            let name = Syscall(number: call.number, token: call.architecture, arguments: arguments)
            tracing.trace.note(name, decision)
            _ = escrow_notification_refuse(listener, call.id, error)
        }
        let seen = FilteredCall(
            number: call.number, architecture: call.architecture, instruction: call.instruction,
            arguments: arguments)
        switch tracing.filter.answer(to: seen) {
        case .allow:
            tracing.trace.noteAllowed(call.number)
            // The call's arguments are in registers, which no other thread can change while it waits.
            _ = escrow_notification_continue(listener, call.id)
        case .refuse(let error): refuse(error, .answered(error))
        default:
            switch decide(call, arguments) {
            case .run:
                tracing.trace.noteAllowed(call.number)
                _ = escrow_notification_continue(listener, call.id)
            case .refuse(let error): refuse(error, .answered(error))
            case .end(let status):
                tracing.trace.noteAllowed(call.number)
                run.end(status)
            case .violation: refuse(EPERM, .refused)
            case .gone: break
            }
        }
    }
}
