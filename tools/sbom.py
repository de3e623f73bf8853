#!/usr/bin/env python3
"""sbom.py VERSION PACKAGE...: a bill of materials in SPDX 2.3's JSON, of cute VERSION and
the Debian packages whose code is linked into it, with the versions installed here.

Packages that dpkg does not know are left out; without dpkg there are none. The text
repeats byte for byte: its date is SOURCE_DATE_EPOCH, or 1970."""
import datetime
import json
import os
import re
import subprocess
import sys

LICENCES = {"libllvm": "Apache-2.0 WITH LLVM-exception", "libmlir": "Apache-2.0 WITH LLVM-exception",
            "libjansson": "MIT", "libzstd": "BSD-3-Clause", "zlib": "Zlib", "libedit": "BSD-3-Clause",
            "libtinfo": "X11-distribute-modifications-variant", "libbsd": "BSD-3-Clause", "libmd": "BSD-3-Clause",
            "libstdc++": "GPL-3.0-or-later WITH GCC-exception-3.1"}


def installed(package):
    """The version of a package that is installed, or None."""
    try:
        done = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}", package],
                              capture_output=True, text=True)
    except FileNotFoundError:
        return None
    status, _, version = done.stdout.partition(" ")
    return version if status == "installed" else None


def entry(name, version, licence, url=None):
    found = {"SPDXID": "SPDXRef-" + re.sub("[^A-Za-z0-9.-]", "-", name), "name": name, "versionInfo": version,
             "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": licence,
             "licenseDeclared": licence, "copyrightText": "NOASSERTION"}
    if url:
        found["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                  "referenceLocator": url}]
    return found


def licence_of(package):
    return next((text for name, text in LICENCES.items() if package.startswith(name)), "NOASSERTION")


def bill(version, packages, created):
    """The document as a dictionary; packages are pairs of a name and a version."""
    ours = entry("cute", version, "Apache-2.0 WITH LLVM-exception")
    linked = [entry(name, found, licence_of(name), f"pkg:deb/debian/{name}@{found}")
              for name, found in packages]
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
            "name": f"cute-{version}", "documentNamespace": f"https://spdx.org/spdxdocs/cute-{version}",
            "creationInfo": {"created": created, "creators": ["Tool: cute-sbom"]},
            "packages": [ours, *linked],
            "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                               "relatedSpdxElement": ours["SPDXID"]},
                              *({"spdxElementId": ours["SPDXID"], "relationshipType": "STATIC_LINK",
                                 "relatedSpdxElement": each["SPDXID"]} for each in linked)]}


def main():
    version, *names = sys.argv[1:]
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or 0)
    created = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    packages = [(name, found) for name in names if (found := installed(name))]
    json.dump(bill(version, packages, created), sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
