#!/usr/bin/env python3
"""Packs the extension for VS Code: package.py [FILE.vsix].

A .vsix is a zip with the extension's files and two lists in XML. Everything that they say
comes from package.json.
"""
import json
import pathlib
import sys
import zipfile
from xml.sax.saxutils import escape

HERE = pathlib.Path(__file__).resolve().parent
EXTENSION = HERE / "vscode"
# Of the repository, or where packages install it.
LICENSES = [HERE.parent / "LICENSE", HERE.parents[1] / "doc" / "cute" / "LICENSE"]

TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension="json" ContentType="application/json"/>
  <Default Extension="js" ContentType="application/javascript"/>
  <Default Extension="md" ContentType="text/markdown"/>
  <Default Extension="txt" ContentType="text/plain"/>
  <Default Extension="vsixmanifest" ContentType="text/xml"/>
</Types>
"""

MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="{name}" Version="{version}" Publisher="{publisher}"/>
    <DisplayName>{displayName}</DisplayName>
    <Description xml:space="preserve">{description}</Description>
    <Categories>{categories}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="{engine}"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
"""


def main(path):
    about = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    said = {key: escape(value) for key, value in about.items() if isinstance(value, str)}
    path = path or f"{about['name']}-{about['version']}.vsix"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", TYPES)
        archive.writestr("extension.vsixmanifest", MANIFEST.format(
            **said, categories=escape(",".join(about["categories"])),
            engine=escape(about["engines"]["vscode"])))
        for file in sorted(EXTENSION.rglob("*")):
            if file.is_file():
                archive.write(file, f"extension/{file.relative_to(EXTENSION)}")
        license = next(path for path in LICENSES if path.exists())
        archive.write(license, "extension/LICENSE.txt")
    print(path)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
