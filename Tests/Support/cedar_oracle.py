"""Says what Cedar decides: one case a line on stdin, {"rules": [...], "facts": {...}}; one answer a line on stdout.

The rules and facts are those of docs/spec/preferences.md. This translates them to Cedar by itself, so that nothing is
shared with the code under test. Cedar stops at the first attribute that is missing, whatever follows; so what is known
stands first in each condition, and an error means that nothing known settles it.
"""

import json
import sys

import cedarpy

SINGLE = {"app", "plugin", "publisher", "target", "place", "pattern"}
MANY = {"table": "tables", "column": "columns", "endpoint": "endpoints"}
RANGES = {"cpuSeconds", "battery", "cpuPressure", "cpuSecondsToday", "bytesToday"}
FLAGS = {"crosses", "charging", "metered"}


def quote(text):
    return json.dumps(text)


def words(items):
    return "[" + ", ".join(quote(item) for item in items) + "]"


def minute(text):
    return int(text[:2]) * 60 + int(text[3:])


def condition(name, value, permits):
    """The attributes that a condition needs, and its text."""
    if name == "purpose":
        kind = "Purpose" if permits else "Reached"
        codes = ", ".join(f"{kind}::{quote(code)}" for code in value)
        return [kind], f"context.{kind} in [{codes}]"
    if name in MANY:
        attribute = MANY[name]
        if permits:
            return [attribute], f"{words(value)}.containsAll(context.{attribute})"
        return [attribute], f"context.{attribute}.containsAny({words(value)})"
    if name in SINGLE:
        parts = []
        for word in value:
            if word.endswith(".*"):
                parts.append(f"context.{name} like {quote(word)}")
            else:
                parts.append(f"context.{name} == {quote(word)}")
        return [name], "(" + " || ".join(parts) + ")"
    if name == "sends":
        text = "!context.endpoints.isEmpty()"
        return ["endpoints"], text if value else f"!({text})"
    if name in FLAGS:
        return [name], f"context.{name} == {'true' if value else 'false'}"
    if name in RANGES:
        parts = []
        if "atLeast" in value:
            parts.append(f"context.{name} >= {value['atLeast']}")
        if "atMost" in value:
            parts.append(f"context.{name} <= {value['atMost']}")
        return [name], "(" + " && ".join(parts) + ")"
    if name == "hour":
        start, end = minute(value["from"]), minute(value["to"])
        after, before = f"context.minute >= {start}", f"context.minute < {end}"
        return ["minute"], f"({after} && {before})" if start <= end else f"({after} || {before})"
    raise ValueError(name)


def split(members, permits, context):
    """The conditions whose attributes are there, and the others."""
    known, unknown = [], []
    for name, value in members.items():
        attributes, text = condition(name, value, permits)
        (known if all(a in context for a in attributes) else unknown).append(text)
    return known, unknown


def policy(rule, context):
    permits = rule["effect"] == "permit"
    known, unknown = split(rule.get("when", {}), permits, context)
    needs = []
    if rule["effect"] == "require":
        met, unmet = split(rule["needs"], False, context)
        needs = ["!(" + " && ".join(met + unmet) + ")"]
    text = " && ".join(known + needs + unknown) or "true"
    return f"{'permit' if permits else 'forbid'} (principal, action, resource) when {{ {text} }};"


def context_of(facts):
    context = {}
    if "purpose" in facts:
        for kind in ("Purpose", "Reached"):
            context[kind] = {"__entity": {"type": kind, "id": facts["purpose"]}}
    for name in list(MANY.values()) + sorted(SINGLE) + sorted(FLAGS) + sorted(RANGES) + ["minute"]:
        if name in facts:
            context[name] = facts[name]
    return context


def entities(nodes):
    """The purposes, once as permits see them and once as forbids do."""
    codes = [node["code"] for node in nodes]
    result = []
    for node in nodes:
        reached = [c for c in codes if c != node["code"]] if node["unbounded"] else node["broader"]
        for kind, parents in (("Purpose", node["broader"]), ("Reached", reached)):
            result.append({
                "uid": {"type": kind, "id": node["code"]}, "attrs": {},
                "parents": [{"type": kind, "id": parent} for parent in parents],
            })
    return cedarpy.Entities.from_json_str(json.dumps(result))


def main():
    tree = entities(json.loads(sys.stdin.readline()))
    for line in sys.stdin:
        case = json.loads(line)
        context = context_of(case["facts"])
        request = {
            "principal": 'App::"app"', "action": 'Action::"run"', "resource": 'Dataflow::"flow"',
            "context": context,
        }
        ids = [rule["id"] for rule in case["rules"]]
        policies = "\n".join(policy(rule, context) for rule in case["rules"])
        answer = cedarpy.is_authorized(request, policies, tree)
        errors = []
        for error in answer.diagnostics.errors:
            if "does not have the attribute" not in error:
                raise RuntimeError(error)
            errors.append(ids[int(error.split("`policy")[1].split("`")[0])])
        if answer.decision == cedarpy.Decision.NoDecision:
            raise RuntimeError(policies)
        print(json.dumps({
            "allow": answer.decision == cedarpy.Decision.Allow,
            "reasons": sorted(ids[int(r.removeprefix("policy"))] for r in answer.diagnostics.reasons),
            "errors": sorted(errors),
        }), flush=False)


main()
