package httpserver

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// writeCertificate writes a new certificate of 127.0.0.1 and its key to files of a folder.
func writeCertificate(t testing.TB, folder string, serial int64) (cert, key string, certificate *x509.Certificate) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	replace(t, cert, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	replace(t, key, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})))
	if certificate, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	return cert, key, certificate
}

// replace replaces a file, as one that is in use should be.
func replace(t testing.TB, name, text string) {
	t.Helper()
	if err := os.WriteFile(name+".new", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(name+".new", name); err != nil {
		t.Fatal(err)
	}
}

// TLS is spoken in both versions of HTTP, and nothing else on that port. A new certificate is used
// for new connections, and the last one while the files do not belong together.
func TestTLS(t *testing.T) {
	folder := t.TempDir()
	cert, key, first := writeCertificate(t, folder, 1)
	s := start(t, Options{Token: "s3cret", CertFile: cert, KeyFile: key})
	address, _ := serve(t, s, "127.0.0.1:0")
	roots := x509.NewCertPool()
	roots.AddCert(first)
	ask := func(second bool, want int64) {
		t.Helper()
		transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: second}
		defer transport.CloseIdleConnections()
		client := &http.Client{Transport: transport}
		response, err := client.Post("https://any:s3cret@"+address.String()+"/slime", "application/json", strings.NewReader(`{"response": "x = 1\n", "label": 7}`))
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil || string(body) != "1.0" || (response.ProtoMajor == 2) != second {
			t.Errorf("%s: %s, %v", response.Proto, body, err)
		}
		if got := response.TLS.PeerCertificates[0].SerialNumber.Int64(); got != want {
			t.Errorf("the certificate with the number %d, want %d", got, want)
		}
	}
	ask(false, 1)
	ask(true, 1)
	old, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	_, _, next := writeCertificate(t, folder, 2)
	roots.AddCert(next)
	secret, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	replace(t, key, string(old))
	for range 3 {
		s.certificate.look(s.options.Log)
	}
	ask(false, 1)
	replace(t, key, string(secret))
	for range 2 {
		s.certificate.look(s.options.Log)
	}
	ask(false, 2)
	ask(true, 2)
	response, err := http.Get("http://" + address.String() + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusBadRequest {
		t.Error(response.Status)
	}
}
