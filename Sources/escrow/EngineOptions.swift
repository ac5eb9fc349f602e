public import ArgumentParser
public import EscrowRelational

/// How tables are served.
struct EngineOptions: ParsableArguments {
    @Option(
        help: """
            How tables are served: pushdown, virtual (every row is read on each scan) or materialized (copied into \
            native tables first). The answers are the same.
            """)
    var engine: Engine = .pushdown
}

extension Engine: ExpressibleByArgument {}
