package diagnose
import ("testing";"strings";"unsafe")
func TestTmp(t *testing.T){
 for _,s:=range []string{"x = ["+strings.Repeat("f(a, b=c),\n",20000)+"a b]","x = ["+strings.Repeat("1, ",60000)+"a b]","x = "+strings.Repeat("a + ",50000)+"= 1"} {
 var d Diagnoser; d.Diagnose(load(t,s),0); m:=&d.machine
 t.Log(len(s),"tokens",len(m.tokens),"memos",len(m.memos),"nodes",len(m.nodes),"cells",len(m.cells), unsafe.Sizeof(token{}),unsafe.Sizeof(memo{}),unsafe.Sizeof(node{}))
 cnt:=map[int8]int{}; fail:=map[int8]int{}
 for _,x:=range m.memos { cnt[x.rule]++; if x.value==0 {fail[x.rule]++} }
 for _,r:=range m.grammar.rules { if r.memo>=0 && cnt[r.memo]>1000 { t.Log("  ",r.name,cnt[r.memo],fail[r.memo]) } }
 }
}
