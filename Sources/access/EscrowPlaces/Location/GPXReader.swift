internal import EscrowFormats
internal import EscrowSourceFiles

/// Reads GPX 1.0 and 1.1 as a stream.
final class GPXReader: PointReader {
    private let stream: XMLStream
    private let state: GPXState
    private let onProblem: (FileProblem) -> Void

    init?(_ file: SharedDescriptor, size: Int64, onProblem: @escaping (FileProblem) -> Void) {
        let state = GPXState()
        guard let stream = XMLStream(file, size: size, format: "GPX", handler: state, onProblem: onProblem)
        else { return nil }
        self.stream = stream
        self.state = state
        self.onProblem = onProblem
    }

    func next() -> LocationPoint? {
        switch stream.run() {
        case .paused: return state.takePoint()
        case .failed: return nil
        case .ended:
            if state.invalidPoints > 0 {
                onProblem(.invalidPoints(state.invalidPoints))
                state.invalidPoints = 0
            }
            return nil
        }
    }
}

extension FileProblem {
    /// Points that are nowhere on earth, and were left out.
    static func invalidPoints(_ count: Int) -> FileProblem {
        FileProblem("\(count) points without a valid place", partial: true)
    }
}
