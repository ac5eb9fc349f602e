import EscrowDiagnostics
import EscrowManifest
import EscrowSandbox
import EscrowTabular
import EscrowWire
import Glibc
import Synchronization

extension Computation {
    /// Filter mode: all rows on stdin, the result on stdout, and the exit status says whether it counts.
    ///
    /// A second thread writes while this one reads: a filter may write before it has read everything, and two full pipes
    /// would otherwise wait for each other.
    func pipe(_ process: any PluginProcess, as input: PluginProtocol.FilterInput) throws(Diagnostic)
        -> Product
    {
        let form: FilterForm =
            switch input {
            case .arrow: .arrow
            case .ndjson: .ndjson
            case .csv: .csv
            }
        let kind = manifest.result.wireKind
        let feeder = Feeder(
            rows: rows, encoder: FilterEncoder(form: form, schema: rows.schema), process: process)
        let thread = feeder.start()
        var output: [UInt8] = []
        let limit = FilterResult.outputLimit(kind: kind, form: form, resultBytes: manifest.result.maxBytes)
        var broken: WireError?
        reading: while true {
            let piece: [UInt8]
            do { piece = try process.read(max: 65_536) } catch { break reading }
            if piece.isEmpty { break }
            output += piece
            guard output.count <= limit else {
                broken = WireError(.tooLong, line: 0, "its output is longer than its manifest allows")
                process.kill(reason: .protocolError)
                break
            }
        }
        let outcome = ended(process)
        if let thread { pthread_join(thread, nil) }
        if outcome.status == .killedByHost(.hostError), let failure = feeder.failure { throw failure }
        if let broken, outcome.status == .killedByHost(.protocolError) { throw rule(broken) }
        if let diagnostic = tell(outcome) { throw diagnostic }
        // It ended by itself before it had read all there is, which its author may well want; but what the host could
        // not read is no reason to call its answer an answer.
        if let failure = feeder.failure { throw failure }
        let decoder = FilterResult(
            kind: kind, form: form, columns: manifest.result.filterColumns,
            maxRows: manifest.result.maxRows, resultBytes: manifest.result.maxBytes)
        let payload: ResultPayload
        do { payload = try decoder.decode(output) } catch { throw rule(error) }
        return Product(result: check(payload), outcome: outcome)
    }

    /// Writes the rows to the process on a thread of its own. The rows are this thread's alone while it runs.
    private final class Feeder: @unchecked Sendable {
        private let rows: RowStream
        private var encoder: FilterEncoder
        private let process: any PluginProcess
        private let failed = Mutex<Diagnostic?>(nil)

        init(rows: RowStream, encoder: FilterEncoder, process: any PluginProcess) {
            self.rows = rows
            self.encoder = encoder
            self.process = process
        }

        /// Why the rows could not be had, once the thread has ended.
        var failure: Diagnostic? { failed.withLock { $0 } }

        /// Starts; nil if the rows had to be written by the caller's own thread.
        func start() -> pthread_t? {
            var thread = pthread_t()
            let context = Unmanaged.passRetained(self)
            let error = pthread_create(
                &thread, nil,
                { argument in
                    guard let argument else { return nil }
                    Unmanaged<Feeder>.fromOpaque(argument).takeRetainedValue().feed()
                    return nil
                }, context.toOpaque())
            if error == 0 { return thread }
            context.release()
            failed.withLock { $0 = Diagnostic(.ownFault, "no thread could be started to write the rows") }
            process.kill(reason: .hostError)
            return nil
        }

        private func feed() {
            do throws(Diagnostic) {
                guard write(encoder.start()) else { return }
                var more = true
                while more {
                    let next: (batch: Batch, more: Bool)
                    do throws(RowStream.Stop) { next = try rows.take(limit: 8_192) } catch {
                        switch error {
                        case .failed(let diagnostic): throw diagnostic
                        case .limit(let limit): return process.end(at: limit)
                        }
                    }
                    more = next.more
                    guard next.batch.rowCount > 0 else { break }
                    let bytes: [UInt8]
                    do { bytes = try encoder.encode(next.batch) } catch {
                        throw Diagnostic(.ownFault, "rows could not be encoded: \(error)")
                    }
                    guard write(bytes) else { return }
                }
                _ = write(encoder.end())
            } catch {
                failed.withLock { $0 = error }
                process.kill(reason: .hostError)
            }
            process.closeInput()
        }

        /// False when the plugin reads no more: a filter that has enough may close its stdin.
        private func write(_ bytes: [UInt8]) -> Bool {
            guard !bytes.isEmpty else { return true }
            return (try? process.write(bytes)) != nil
        }
    }
}
