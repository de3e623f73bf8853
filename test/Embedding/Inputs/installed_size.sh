# installed_size.sh FOLDER: fails unless the Installed-Size of the package in FOLDER is,
# to 3 %, what its files in FOLDER/root take on the disk by du.
set -e
said=$(dpkg-deb -f "$1"/*.deb Installed-Size)
real=$(du -sk "$1/root" | cut -f1)
echo "Installed-Size: $said KiB, du: $real KiB"
[ $((said * 100)) -gt $((real * 97)) ] && [ $((said * 100)) -lt $((real * 103)) ]
