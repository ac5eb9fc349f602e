import Testing

/// The Python library's own walls: what it makes of a service that answers wrongly.
@Suite struct PythonClientTests {
    @Test func whatIsWrongIsAnErrorThatHoldsNeitherTokenNorResult() throws {
        try SupportScript.run("client_faults", atLeast: 18)
    }
}
