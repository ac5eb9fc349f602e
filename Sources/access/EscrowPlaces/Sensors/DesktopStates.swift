internal import EscrowDiagnostics
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit
internal import EscrowTabular

/// The states that the desktop itself tells, each bus of which is one source: whether it is to be quiet. They are asked once for a
/// statement.
final class DesktopStates: TableSnapshot {
    private struct State {
        let file: Int
        let isOn: Bool
        let asked: Timestamp
    }

    private let spec: TableSpec
    private let states: [State]

    /// Asks every bus.
    ///
    /// - Parameter firstFile: added to the buses' numbers in row ids, where other rows come before these.
    init(_ spec: TableSpec, _ context: SourceContext, firstFile: Int) {
        self.spec = spec
        states = context.roots.enumerated().compactMap { place, socket in
            guard let isOn = DesktopFocus(socket: socket).isOn() else {
                context.onSkip(socket, FileProblem("no desktop there says whether it is to be quiet"))
                return nil
            }
            return State(file: firstFile + place, isOn: isOn, asked: .currentTime)
        }
    }

    func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan { Scan(request, spec, states) }

    private final class Scan: TableScan {
        private typealias Column = SensorSpec.Column
        private let request: ScanRequest
        private let spec: TableSpec
        private let filter: RowFilter
        private var states: ArraySlice<State>
        private var row: RowBuilder?

        init(_ request: ScanRequest, _ spec: TableSpec, _ states: [State]) {
            self.request = request
            self.spec = spec
            self.states = states[...]
            filter = RowFilter(request.predicates, spec: spec)
        }

        func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
            chunk.removeAll()
            let row = RowBuilder.aim(&row, at: chunk, request, filter, spec: spec)
            while !chunk.isFull, let state = states.popFirst() {
                row.set(Column.entityID, "binary_sensor.desktop_focus")
                row.set(Column.domain, "binary_sensor")
                row.set(Column.state, state.isOn ? "on" : "off")
                row.set(Column.friendlyName, "Do not disturb")
                row.set(Column.lastUpdated, state.asked)
                row.end(file: state.file)
            }
            return chunk.isFull || chunk.rowCount > 0
        }

        func omit(_ column: Int) { row?.omit(column) }
    }
}
