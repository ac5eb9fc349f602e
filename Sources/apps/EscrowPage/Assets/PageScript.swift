/// All that runs in the browser: it looks, while the page is seen, whether something else waits, and says so. It changes no form,
/// moves no focus and answers nothing.
public enum PageScript {
    public static let text = #"""
        "use strict";
        (() => {
          const indicator = document.getElementById("indicator");
          if (!indicator) return;
          let waiting = null;
          async function look() {
            if (document.visibilityState !== "visible") return;
            let state;
            try {
              const answer = await fetch("/state.json", { credentials: "same-origin", cache: "no-store" });
              if (!answer.ok) return;
              state = await answer.json();
            } catch { return; }
            indicator.textContent = state.words;
            indicator.classList.toggle("busy", state.underWay > 0);
            if (waiting !== null && state.waiting !== waiting && !document.getElementById("news")) {
              const news = document.createElement("p");
              news.id = "news";
              news.className = "notice";
              news.setAttribute("role", "status");
              const way = document.createElement("a");
              way.href = "/";
              way.textContent = "What waits for you has changed: look at it";
              news.append(way);
              document.getElementById("main").prepend(news);
            }
            if (waiting === null || state.waiting !== waiting) waiting = state.waiting;
          }
          look();
          setInterval(look, 4000);
          document.addEventListener("visibilitychange", look);
        })();
        """#

    /// A keyhole, for the tab.
    public static let icon = #"""
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#0b57a4"/><path fill="#fff" d="M8 3a2.6 2.6 0 0 1 1.3 4.8l1 5.2H5.7l1-5.2A2.6 2.6 0 0 1 8 3z"/></svg>
        """#
}
