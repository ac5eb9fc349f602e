import Foundation
import Testing

/// The individual's page and their agents, by the programs that people use: a browser, and the protocol's own client.
@Suite struct PageTests {
    @Test func nobodyButTheIndividualsBrowserUsesThePage() throws {
        try SupportScript.run("page_attacks", atLeast: 39)
    }

    @Test func everyActionOfThePageWorksInABrowserAndAxeFindsNothing() throws {
        guard let python = SupportScript.python(with: "axe_selenium_python"),
            ["/usr/bin/chromium", "/usr/bin/chromedriver"].allSatisfy(FileManager.default.isExecutableFile)
        else {
            print("SKIP: chromium, chromium-driver or PyPI's axe-selenium-python is not installed")
            return
        }
        try SupportScript.run("page_browser", python: python, atLeast: 82)
    }

    /// From a home without data to a decision that is taken back: contacts added, a first app confined, its question answered.
    @Test(.enabled(if: Confinement.works, "SKIP: bubblewrap is missing, or cannot make its walls here"))
    func theFirstMinutesOfANewUserGoByThePage() throws {
        guard let python = SupportScript.python(with: "axe_selenium_python"),
            ["/usr/bin/chromium", "/usr/bin/chromedriver"].allSatisfy(FileManager.default.isExecutableFile)
        else {
            print("SKIP: chromium, chromium-driver or PyPI's axe-selenium-python is not installed")
            return
        }
        try SupportScript.run("page_trial", python: python, atLeast: 6)
    }

    @Test func anAgentGetsResultsAndNothingThatItIsToldWidensThat() throws {
        guard let python = SupportScript.python(with: "mcp") else {
            print("SKIP: PyPI's mcp is not installed")
            return
        }
        try SupportScript.run("agent_client", python: python, atLeast: 39)
    }
}
