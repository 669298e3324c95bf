# step.bash: how run and nightly take their steps. Each sources it from the repository's folder.

export CGO_ENABLED=0 GOFLAGS="${GOFLAGS:-} -mod=readonly"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# step NAME COMMAND...: runs a command, often a function, in a shell of its own that ends with the first failure in it. It says how many seconds that took,
# on the clock and of processors. After a failure run ends; nightly, which sets go_on, goes on. A command that cannot say anything here, for want
# of a tool or the network, says why and returns 75 (EX_TEMPFAIL): its result is "not run", which is no failure.
table=() failed=0 unknown=0
go_on=
step() {
  local name=$1 since=$SECONDS before status result
  shift
  spend
  before=$spent
  printf '\n== %s\n' "$name"
  set +e
  (set -euo pipefail && "$@")
  status=$?
  set -e
  case $status in
    0) result=passed ;;
    75) result='not run' unknown=$((unknown + 1)) ;;
    *) result=FAILED failed=$((failed + 1)) ;;
  esac
  spend
  table+=("$(printf '%6d s %6d s  %-8s %s' $((SECONDS - since)) $((spent - before)) "$result" "$name")")
  printf -- '-- %s: %s, %d s\n' "$name" "$result" $((SECONDS - since))
  [[ $result != FAILED || -n $go_on ]] || finish
}

# spend sets spent to the processor time of all that has ended, in whole seconds.
spend() {
  times >"$work/times"
  spent=$(awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, "[ms]"); sum += 60 * t[1] + t[2] } printf "%d", sum }' "$work/times")
}

# finish prints the table of the steps and ends the program: with 1 if one has failed.
finish() {
  printf '\n%8s %8s  %-8s %s\n' clock cpu result step
  printf '%s\n' "${table[@]}"
  printf '\n%d steps in %d s: %d failed, %d not run\n' ${#table[@]} $SECONDS $failed $unknown
  exit $((failed > 0))
}

# have COMMAND PACKAGE: installs a Debian package if there is no such command.
have() {
  command -v "$1" >/dev/null && return
  if ! command -v apt-get >/dev/null || ! apt-get update -qq || ! apt-get install -y -qq --no-install-recommends "$2" >/dev/null; then
    echo "no $1, and the package $2 cannot be installed"
    return 75
  fi
}
