package import EscrowDiagnostics
import EscrowEgress
package import EscrowJSON
package import EscrowManifest
package import EscrowSandbox
import EscrowSchema
import EscrowTabular
import EscrowWire

/// Step 9 of a run: one fresh process is given the rows of `access()` (Ds) until it has given a result or broken a rule.
///
/// The plugin asks, the host answers; one ask at a time, so the two can never wait for each other. What the
/// plugin wrote counts only if the process ended cleanly: until then the result is held here.
package struct Computation {
    package let plugin: PluginIdentity
    package let manifest: Manifest
    package let limits: RunLimits
    package let rows: RowStream
    package let assets: any AssetReader
    /// Whether pictures are handed out without what they say of themselves.
    package let stripsFiles: Bool
    /// Sends requests; nil where the manifest declares none.
    package let fetcher: (any Fetcher)?
    /// What the run came to, also where it fails.
    package let record: ComputationRecord
    package let progress: (Double) -> Void
    /// Takes what the plugin wrote on stderr.
    package let log: ([UInt8]) -> Void

    package init(
        plugin: PluginIdentity, manifest: Manifest, limits: RunLimits, rows: RowStream,
        assets: any AssetReader, stripsFiles: Bool, fetcher: (any Fetcher)?, record: ComputationRecord,
        progress: @escaping (Double) -> Void, log: @escaping ([UInt8]) -> Void
    ) {
        self.plugin = plugin
        self.manifest = manifest
        self.limits = limits
        self.rows = rows
        self.assets = assets
        self.stripsFiles = stripsFiles
        self.fetcher = fetcher
        self.record = record
        self.progress = progress
        self.log = log
    }

    /// What a computation gave, and what it took.
    package struct Product {
        /// The result by its declared schema, or why it is none.
        package var result: Result<NormalizedResult, Diagnostic>
        package var outcome: Outcome
    }

    /// Speaks the protocol, or pipes the rows through a filter, as the manifest says.
    package func run(
        _ process: any PluginProcess, run id: String, arguments: [(name: String, value: JSONValue)]
    ) throws(Diagnostic) -> Product {
        switch manifest.plugin.mode {
        case .ask: try converse(process, run: id, arguments: arguments)
        case .filter(let input): try pipe(process, as: input)
        }
    }

    /// The host's first words to the plugin, which wait for none of its own and have no row; none for a filter.
    package func opening(run id: String, arguments: [(name: String, value: JSONValue)]) -> [UInt8] {
        guard case .ask = manifest.plugin.mode else { return [] }
        return session(run: id, arguments: arguments).start()
    }

    private func session(run id: String, arguments: [(name: String, value: JSONValue)]) -> Session {
        Session(
            run: id, schema: rows.schema, parameters: arguments, features: manifest.plugin.wireFeatures,
            resultKind: manifest.result.wireKind, limits: SessionLimits(resultBytes: manifest.result.maxBytes)
        )
    }

    private func converse(
        _ process: any PluginProcess, run id: String, arguments: [(name: String, value: JSONValue)]
    ) throws(Diagnostic) -> Product {
        var session = session(run: id, arguments: arguments)
        var end: End?
        do throws(Stop) {
            let greeting = session.start()
            record.writtenBytes += process.sentAtLaunch
            if greeting.count > process.sentAtLaunch {
                try send(greeting.dropFirst(process.sentAtLaunch), to: process)
            }
            while true {
                let bytes: [UInt8]
                do { bytes = try process.read(max: 65_536) } catch { throw .ended }
                if bytes.isEmpty { break }
                for event in try receive(bytes, &session) {
                    switch event {
                    case .rows(let limit, _): try answerRows(limit, &session, process)
                    case .asset(let handle): try answer(asset: handle, &session, process)
                    case .assets(let handles): try answer(assets: handles, &session, process)
                    case .fetch(let request): try answer(request, &session, process)
                    case .fetchTogether(let requests): try answer(together: requests, &session, process)
                    case .send(let bytes): try send(bytes, to: process)
                    case .progress(let fraction, _): progress(fraction)
                    case .hello, .log: break
                    case .result(let payload):
                        try requireRead(greeting.count, process)
                        // While the process ends: its end is waited for below, and what it did before counts first.
                        end = .result(check(payload))
                    case .refusal(let code, _): end = .refusal(code)
                    }
                }
            }
            try close(&session)
        } catch {
            throw stop(process, error)
        }
        let outcome = try finish(process)
        switch end {
        case .result(let result): return Product(result: result, outcome: outcome)
        case .refusal(let code): throw fetcher?.lastRefusal?.diagnostic ?? refusal(code)
        case nil: throw rule(WireError(.noResult, line: 0, "the plugin ended without a result"))
        }
    }

    /// The result as its declared schema has it.
    func check(_ payload: ResultPayload) -> Result<NormalizedResult, Diagnostic> {
        Result { () throws(Diagnostic) in try manifest.result.check(payload, plugin: plugin) }
    }

    /// What a conversation came to.
    private enum End {
        case result(Result<NormalizedResult, Diagnostic>)
        case refusal(RefusalCode)
    }

    /// Why a conversation stopped early.
    enum Stop: Error {
        /// The process is gone, or closed its side; its outcome says why.
        case ended
        /// A rule of the protocol was broken.
        case rule(WireError)
        /// The output ended before there was a result.
        case unfinished(WireError)
        /// The host's own side failed: a source.
        case host(Diagnostic)
        /// What the host counts is used up.
        case limit(Outcome.Limit)
    }

    private func close(_ session: inout Session) throws(Stop) {
        do { try session.endOfOutput() } catch { throw .unfinished(error) }
    }

    private func receive(_ bytes: [UInt8], _ session: inout Session) throws(Stop) -> [SessionEvent] {
        do { return try session.receive(bytes) } catch { throw .rule(error) }
    }

    private func answerRows(
        _ limit: Int, _ session: inout Session, _ process: any PluginProcess
    ) throws(Stop) {
        let next: (batch: Batch, more: Bool)
        do throws(RowStream.Stop) { next = try rows.take(limit: limit) } catch {
            switch error {
            case .limit(let limit): throw .limit(limit)
            case .failed(let diagnostic): throw .host(diagnostic)
            }
        }
        let pieces: [[UInt8]]
        do { pieces = try session.answer(batch: next.batch, more: next.more) } catch {
            throw .host(Diagnostic(.ownFault, "rows could not be encoded: \(error)"))
        }
        for piece in pieces { try send(piece, to: process) }
        rows.prefetch()
    }

    func send(_ bytes: some Collection<UInt8>, to process: any PluginProcess) throws(Stop) {
        do { try process.write(Array(bytes)) } catch { throw .ended }
        record.writtenBytes += bytes.count
    }

    /// A result that the plugin wrote before it read the host's greeting is refused: the process was started ahead of this run,
    /// knows nothing of it, and would hand over something that it brought along.
    private func requireRead(_ greeting: Int, _ process: any PluginProcess) throws(Stop) {
        guard record.writtenBytes - process.unreadInput < greeting else { return }
        throw .rule(WireError(.outOfTurn, line: 0, "a result before the host's greeting was read"))
    }

    /// Ends the process and tells the cause that came first: a process that the sandbox ends in the middle of a line
    /// breaks the protocol as well, but that is not what happened.
    private func stop(_ process: any PluginProcess, _ why: Stop) -> Diagnostic {
        let broken: WireError
        switch why {
        case .ended: broken = WireError(.noResult, line: 0, "it closed its input before it gave a result")
        case .unfinished(let error): broken = error
        case .rule(let error):
            process.kill(reason: .protocolError)
            broken = error
        case .host(let diagnostic):
            process.kill(reason: .hostError)
            return end(process, unless: .killedByHost(.hostError)) ?? diagnostic
        case .limit(let limit):
            process.end(at: limit)
            broken = WireError(.noResult, line: 0, "it ended before it gave a result")
        }
        let outcome = ended(process)
        if let failure = record.failure { return failure }
        // A process that lives on after it closed a pipe is ended for lingering. It broke the protocol before that.
        if [.killedByHost(.protocolError), .killedByHost(.lingered)].contains(outcome.status) {
            return rule(broken)
        }
        return tell(outcome) ?? rule(broken)
    }

    func finish(_ process: any PluginProcess) throws(Diagnostic) -> Outcome {
        let outcome = ended(process)
        if let diagnostic = tell(outcome) { throw diagnostic }
        return outcome
    }

    /// Waits for the end and keeps what it came to.
    func ended(_ process: any PluginProcess) -> Outcome {
        let outcome = process.finish()
        log(outcome.log)
        record.outcome = outcome
        record.failure = process.failure
        return outcome
    }

    /// Waits for the end and says what it was; nil after a clean end, and where it was the host's doing.
    func end(_ process: any PluginProcess, unless own: Outcome.Status) -> Diagnostic? {
        let outcome = ended(process)
        return outcome.status == own ? nil : tell(outcome)
    }

    func tell(_ outcome: Outcome) -> Diagnostic? {
        if let failure = record.failure { return failure }
        // A plugin that fails after a refused request fails because of it.
        if case .exited(let code) = outcome.status, code != 0, let refusal = fetcher?.lastRefusal {
            return refusal.diagnostic
        }
        return outcome.diagnostic(
            plugin: plugin.shortName, version: plugin.version, fed: record.fed(rows),
            capped: limits.cappedInSandbox)
    }

    func rule(_ error: WireError) -> Diagnostic {
        Diagnostic(
            error.code.diagnosticCode,
            "\(plugin.shortName) \(plugin.version) broke the plugin protocol: \(error.sentence)",
            notes: error.line > 0
                ? ["line \(error.line) of what it wrote; nothing was returned"] : ["nothing was returned"],
            help: "plugin authors: escrow plugin test; everybody else: worth reporting to its publisher")
    }

    private func refusal(_ code: RefusalCode) -> Diagnostic {
        Diagnostic(
            code.diagnosticCode,
            "\(plugin.shortName) \(plugin.version) refused: \(code.rawValue)",
            notes: ["what it says of the reason may hold data and is kept out of this message"])
    }
}

/// Opens the assets whose handles went out in rows of this run.
package protocol AssetReader {
    func open(_ handle: String) -> OpenAsset?
}
