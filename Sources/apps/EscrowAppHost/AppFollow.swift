package import EscrowAppWire
package import EscrowDiagnostics
package import EscrowHost
package import EscrowLocation
import EscrowLocationPrivacy
import Glibc

/// Live location for an app: its plugin runs at each update, under the same grant, and the app gets results and no place.
package struct AppFollow {
    private let host: @Sendable () throws(Diagnostic) -> Host
    private let request: RunRequest
    private let follow: LiveFollow
    private let provider: any LiveProvider
    private let cancellation: Runner.Cancellation

    /// Asks where this machine is, if the individual lets the app; `host` gives the one of each run. How exactly is what the request
    /// says of its service.
    package init(
        _ request: RunRequest, _ mode: FollowMode, source: LiveSource, cancellation: Runner.Cancellation,
        host: @escaping @Sendable () throws(Diagnostic) -> Host
    ) throws(Diagnostic) {
        guard let wish = request.place, let desired = Exactness(rawValue: wish.accuracy), desired != .none
        else {
            throw Diagnostic(
                .serviceNotDeclared, "an app that follows says how exactly its service is told at most")
        }
        try host().live.check(request.app)
        let opened = try source.open(desired)
        provider = opened.provider
        let rhythm: UpdateFilter.Mode =
            switch mode {
            case .standard: .standard
            case .significant: .significant
            case .visits: .visits
            }
        follow = LiveFollow(
            app: request.app, plugin: request.plugin, provider: opened.name, mode: rhythm, desired: desired,
            began: Int64(time(nil)))
        (self.host, self.request, self.cancellation) = (host, request, cancellation)
    }

    /// Follows until it is cancelled, or something forbids it; each result is handed on. An update whose run fails otherwise has
    /// none: the individual sees why with `escrow app failures`.
    package func run(_ take: (RunResult) -> Void) throws(Diagnostic) {
        let host = try host()
        // Whoever began it is connected for as long as it runs: that is its use.
        _ = try host.follow(follow, by: provider, cancellation: cancellation) {
            (_, _) throws(Diagnostic) in
            let runner = Runner(
                host: try self.host(),
                cancellation: cancellation, patience: .stay)
            do throws(Diagnostic) { take(try runner.run(request)) } catch {
                guard error.passes, !cancellation.isCancelled else { throw error }
                note(error, host)
            }
        }
    }

    private func note(_ error: Diagnostic, _ host: Host) {
        host.noteFailure(
            error, app: request.app, plugin: request.plugin, hasReadData: cancellation.hasReadData)
    }
}

extension AppResult {
    /// What an app gets of a run.
    package init(_ result: RunResult) {
        self =
            switch result.value {
            case .json(let value): .value(value, columns: result.columns)
            case .bytes(let bytes, let mediaType): .bytes(bytes, mediaType: mediaType)
            }
    }
}
